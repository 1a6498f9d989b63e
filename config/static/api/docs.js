/* Shows the operations of the API.  A script of its own, since the site allows none inside of a page. */

const element = document.getElementById("operations");

window.SwaggerUIBundle({
  url: element.dataset.schema,
  domNode: element,
  deepLinking: true,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  requestInterceptor: (request) => {
    if (request.method && request.method !== "GET") request.headers["X-CSRFToken"] = /(?:^|; )csrftoken=(\w*)/.exec(document.cookie)?.[1] ?? "";
    return request;
  },
});
