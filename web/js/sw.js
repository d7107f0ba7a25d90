// Keeps the files of one version, all or none, and answers with them. Made from the built files.

const BUILD = "@BUILD@";
const FILES = [/*@FILES@*/];

// Other builds, and other copies of the page on the same server, have names of their own.
const PREFIX = `slabscope ${registration.scope} `;
const CACHE = PREFIX + BUILD;
const OWN = new Map(FILES.map((file) => [new URL(file, registration.scope).href, file]));
OWN.set(registration.scope, "index.html");

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((file) => new Request(new URL(file, registration.scope), { cache: "no-cache" })));
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  };
  event.waitUntil(clean());
});

// The page asks for it when its reader does.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  address.hash = "";
  address.search = "";
  const file = request.method === "GET" ? OWN.get(address.href) : undefined;
  if (file === undefined) return;
  const answer = async () => {
    const kept = await (await caches.open(CACHE)).match(new URL(file, registration.scope));
    return kept ?? fetch(request);
  };
  event.respondWith(answer());
});
