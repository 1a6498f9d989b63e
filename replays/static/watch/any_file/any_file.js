// A file that is chosen or dropped is sent at once, as the form would send it; "Upload it" sends the same bytes, which the
// page has back from the server, to the upload page.  Nothing is kept in the browser either.

const form = document.getElementById("watch");
const field = form.querySelector("#file");
const zone = form.querySelector("[data-drop]");

function send() {
  const tooLarge = field.files.length > 0 && field.files[0].size > Number(form.dataset.most);
  document.querySelector("[data-too-large]").hidden = !tooLarge;
  form.querySelector("[data-sending]").hidden = tooLarge || field.files.length === 0;
  if (!tooLarge && field.files.length > 0) form.requestSubmit();
}

field.addEventListener("change", send);
// The page may come back as it was left, with the file still chosen.
addEventListener("pageshow", () => { form.querySelector("[data-sending]").hidden = true; });

const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  zone.classList.add("over");
});
document.addEventListener("dragleave", (event) => event.relatedTarget || zone.classList.remove("over"));
document.addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  zone.classList.remove("over");
  setFile(field, event.dataTransfer.files[0]);
  send();
});

function setFile(input, file) {
  const holder = new DataTransfer();
  holder.items.add(file);
  input.files = holder.files;
}

const upload = document.getElementById("upload-it");
if (upload) {
  const { name, bytes } = JSON.parse(document.getElementById("file-data").textContent);
  const input = upload.querySelector("[type=file]");
  setFile(input, new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
  input.hidden = true;
}
