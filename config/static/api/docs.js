/* Shows the operations of the API.  A script of its own, since the site allows none inside of a page. */

// Swagger UI is dark by a class; the visitor's choice goes before the system's.
const system = matchMedia("(prefers-color-scheme: dark)");
function showTheme() {
  const chosen = document.documentElement.dataset.theme;
  document.documentElement.classList.toggle("dark-mode", chosen ? chosen === "dark" : system.matches);
}
showTheme();
system.addEventListener("change", showTheme);

const element = document.getElementById("operations");

window.SwaggerUIBundle({
  url: element.dataset.schema,
  domNode: element,
  deepLinking: true,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  requestInterceptor: (request) => {
    // The schema names the public address of the site; what is tried here goes to the address that this page came from.
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    if (request.method && request.method !== "GET") request.headers["X-CSRFToken"] = /(?:^|; )csrftoken=(\w*)/.exec(document.cookie)?.[1] ?? "";
    return request;
  },
});
