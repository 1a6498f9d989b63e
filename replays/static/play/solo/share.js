// Sharing the address of a game: by the browser's own dialog where there is one, else by the clipboard.

// `shared()`: {title, url}.  `say(key)` tells a sentence of the page.
export function shareOn(button, shared, say) {
  button.addEventListener("click", async () => {
    const { title, url } = shared();
    try {
      if (navigator.share) await navigator.share({ title, url });
      else {
        await navigator.clipboard.writeText(url);
        say("shared");
      }
    } catch (error) {
      if (error.name === "AbortError") return; // closed by the visitor
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
      say("not_shared"); // without https there is neither
    }
  });
}
