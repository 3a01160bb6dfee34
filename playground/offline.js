// Keeps the whole folder on the visitor's machine, so that the page works without a network.
//
// The build writes the version, a hash of all files, and their names. A new version is fetched as a
// whole beside the old one, and takes over once no page runs on that any more; so a page never runs
// on files of two versions.

const VERSION = "";
const FILES = [];

const OURS = `playground ${registration.scope} `; // other pages of this address have other caches
const NAME = OURS + VERSION;

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(kept(event.request));
});

async function fill() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== NAME) await caches.delete(name);
  }
}

async function kept(request) {
  const cache = await caches.open(NAME);
  const page = request.url.replace(/index\.html(?=$|[?#])/, "");
  return (await cache.match(page, { ignoreSearch: true })) ?? fetch(request);
}
