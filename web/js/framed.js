// A figure in someone's page: what it tells that page, and what it takes from there.
//
// It stands between the page around it and the app, and knows of the app only what is in the document:
// data-fragment (the link of what is shown), data-sums (the pool's sums), data-now (the operation), the notices,
// and the event "slabscope-open", by which the app opens a link.

const host = window.parent;
const HIGHEST = 5000;
const LONGEST = 16384;
// A player changes the state with every frame; the page around it is told so often, in milliseconds.
const PAUSE = 100;
// How long an answer waits for a step to be reached.
const PATIENCE = 3000;

const isText = (value) => typeof value === "string" && value.length <= LONGEST;
const isStep = (value) => Number.isSafeInteger(value) && value >= 0 && value <= 10_000_000;
const isId = (value) => value === undefined || Number.isFinite(value) || (typeof value === "string" && value.length <= 64);

/** Every request, and what each of its fields must be. */
const REQUESTS = {
  ping: {},
  get: {},
  set: { fragment: isText },
  seek: { step: isStep },
  play: {},
  pause: {},
};

const app = () => document.querySelector(".app[data-fragment]");
const fragment = () => app()?.dataset.fragment ?? "v=1";

/** Sums of the pool as they are shown; null for what the view does not have. */
function summary() {
  const [pages_used, obj_allocated, obj_used, step, steps] = (document.querySelector("[data-sums]")?.dataset.sums ?? "")
    .split(" ")
    .map((text) => (text === "" ? null : Number(text)));
  return { pages_used, obj_allocated: obj_allocated ?? null, obj_used: obj_used ?? null, step: step ?? null, steps: steps ?? null };
}

/** Nobody is told what is shown before they asked; height and readiness are no secret. */
let origin = null;

function tell(type, fields, to = origin) {
  if (to !== null) host.postMessage({ source: "slabscope", v: 1, type, ...fields }, to);
}

/** Why a message is no request; null if it is one. */
function fault(message) {
  const { source, v, type, id, ...fields } = message;
  if (v !== 1) return "v: only version 1 of the messages is known";
  if (!isId(id)) return "id: a number, or a text of at most 64 characters is expected";
  if (!Object.hasOwn(REQUESTS, type)) return `type: one of ${Object.keys(REQUESTS).join(", ")} is expected`;
  const shape = REQUESTS[type];
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) return `${type} has no field ${unknown.slice(0, 40)}`;
  const wrong = Object.keys(shape).find((name) => !shape[name](fields[name]));
  return wrong === undefined ? null : `${type}: ${wrong} is missing, of the wrong kind or too large`;
}

function open(link) {
  window.dispatchEvent(new CustomEvent("slabscope-open", { detail: link }));
}

/** Presses the button that plays or pauses, if it offers that now. */
function press(name) {
  document.querySelector(`.dock button[aria-label="${name}"]`)?.click();
}

const DO = {
  set: ({ fragment }) => open(fragment),
  seek: ({ step }) => open(`${fragment().replace(/(^|&)at=[^&]*/, "")}&at=${step}`),
  play: () => press("Play"),
  pause: () => press("Pause"),
};

/** Waits until the picture has caught up with what was asked, or for a while. */
async function settled() {
  const until = performance.now() + PATIENCE;
  do {
    await new Promise((done) => setTimeout(done, 30));
    const at = Number(/(?:^|&)at=(\d+)/.exec(fragment())?.[1] ?? 0);
    const { step, steps } = summary();
    if (step === null || step === Math.min(at, steps ?? at)) return;
  } while (performance.now() < until);
}

async function take(event) {
  const message = event.data;
  if (event.source !== host || typeof message !== "object" || message === null || message.source !== "slabscope") return;
  const from = event.origin === "null" ? "*" : event.origin;
  const why = fault(message);
  const id = isId(message.id) && message.id !== undefined ? { id: message.id } : {};
  if (why !== null) return tell("error", { ...id, reason: why }, from);
  origin = from;
  if (message.type === "ping") return tell("pong", id);
  DO[message.type]?.(message);
  if (message.type === "set" || message.type === "seek") await settled();
  tell("state", { ...id, fragment: fragment(), summary: summary() });
}

/** What was told last, so that nothing is told twice. */
const told = { state: "", now: "", notices: "", height: 0 };

function changed() {
  const state = { fragment: fragment(), summary: summary() };
  const text = document.querySelector("[data-now]")?.textContent ?? "";
  const notices = [...document.querySelectorAll(".notice.warning > span")].map((notice) => notice.textContent);
  if (JSON.stringify(state) !== told.state) tell("state", state);
  if (text !== told.now && text !== "") tell("event", { step: state.summary.step, text });
  if (notices.join("\n") !== told.notices) for (const reason of notices) tell("error", { reason });
  if (origin !== null) Object.assign(told, { state: JSON.stringify(state), now: text, notices: notices.join("\n") });
  keepLocked();
}

/** Controls that the link locks can be seen, not used. */
function keepLocked() {
  const locked = /(?:^|&)lock=([^&]*)/.exec(fragment())?.[1].split(/,|%2C/i) ?? [];
  for (const field of document.querySelectorAll(".left [data-key]")) field.inert = locked.includes(field.dataset.key);
}

function measure() {
  const height = Math.min(Math.ceil(app()?.getBoundingClientRect().height ?? 0), HIGHEST);
  if (height > 0 && height !== told.height) {
    told.height = height;
    tell("height", { height }, "*");
  }
}

if (host !== window) {
  let timer = 0;
  const soon = () => {
    timer ||= setTimeout(() => {
      timer = 0;
      changed();
    }, PAUSE);
  };
  const begin = () => {
    if (!app()) return;
    waiting.disconnect();
    addEventListener("message", take);
    new MutationObserver(soon).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    new ResizeObserver(measure).observe(app());
    tell("ready", {}, "*");
    measure();
    keepLocked();
  };
  const waiting = new MutationObserver(begin);
  waiting.observe(document.body, { subtree: true, childList: true });
  begin();
}
