// The skin of all boards: a cookie, for every page draws by it.

const YEAR_S = 31_536_000;

// `styles`: the address of skins.css, for a page that may not have it; `keep`: false where nothing may be stored.
export async function chooseSkin(name, { styles, keep = true } = {}) {
  if (keep) document.cookie = `skin=${name}; path=/; max-age=${YEAR_S}; samesite=lax`;
  if (styles && !document.querySelector(`link[href="${styles}"]`)) await loaded(styles);
  document.documentElement.dataset.skin = name;
}

function loaded(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resume) => {
    for (const name of ["load", "error"]) link.addEventListener(name, resume);
  });
}
