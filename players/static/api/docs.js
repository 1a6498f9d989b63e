/* Shows the operations of the API.  A script of its own, since the site allows none inside of a page. */

const element = document.getElementById("operations");

/** The value of the cookie `name`; "" without it. */
function cookie(name) {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

window.SwaggerUIBundle({
  url: element.dataset.schema,
  domNode: element,
  deepLinking: true,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  requestInterceptor: (request) => {
    if (request.method && request.method !== "GET") request.headers["X-CSRFToken"] = cookie("csrftoken");
    return request;
  },
});
