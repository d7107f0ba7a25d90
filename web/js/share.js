// The share dialog, loaded when it is first opened: link, embedding, and everything that can be taken away.
//
// What is exported is computed from the link alone, in a worker; tables that only the page has (those of a pasted
// file) are read from the page and go through the same formatter.

const root = document.documentElement;
const app = () => document.querySelector(".app[data-fragment]");
const page = () => location.href.split(/[?#]/)[0].replace("embed.html", "");

/** Version and digest of the built files. */
export const build = root.dataset.build;

let worker;
const waiting = new Map();
let asked = 0;

/** Asks the exporter; what it gives is a text. */
function ask(...request) {
  worker ??= new Promise((ready, fail) => {
    const made = new Worker(new URL(`${root.dataset.workers}slabscope-exporter_loader.js`, document.baseURI), { type: "module" });
    made.onerror = () => {
      worker = undefined;
      waiting.forEach(({ fail }) => fail(new Error("The exporter stopped")));
      waiting.clear();
      fail(new Error("The exporter does not start"));
    };
    made.onmessage = ({ data }) => {
      if (data === "ready") return ready(made);
      const [id, worked, text] = data;
      const answer = waiting.get(id);
      waiting.delete(id);
      if (worked) answer?.done(text);
      else answer?.fail(new Error(text));
    };
  });
  return worker.then((port) => new Promise((done, fail) => {
    waiting.set(++asked, { done, fail });
    port.postMessage([asked, ...request]);
  }));
}

/** The digest of what a link shows; empty for a view that has none. */
export const digest = (link) => ask("digest", link, "", "").catch(() => "");

/** An element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Saves a file and gives its name. That has the build, for texts that must equal what a program prints and have no place for it. */
function save(name, content, type) {
  const href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const download = `slabscope-${build}-${name}`;
  make("a", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  return download;
}

/** Where a lone SVG is drawn, and the picture that comes of it. */
async function drawn(svg) {
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await picture.decode();
  return picture;
}

/** A picture with its caption and link below, as PNG. */
async function png(picture, width, height, scale, lines) {
  const style = getComputedStyle(root);
  const [margin, line] = [12, 16];
  const canvas = make("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round((height + margin + line * lines.length) * scale);
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.fillStyle = style.getPropertyValue("--paper");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, width, height);
  context.font = "11px sans-serif";
  context.fillStyle = style.getPropertyValue("--ink-2");
  lines.forEach((text, row) => context.fillText(text, margin, height + margin + line * row + 4, width - 2 * margin));
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Tables of the page, those that are folded too: title, text (caption, columns and rows) and whether it is of lines. */
async function tables() {
  const folded = [...document.querySelectorAll("main details:not([open])")];
  folded.forEach((one) => (one.open = true));
  await new Promise((done) => setTimeout(done, 100));
  const text = (cell) => cell.textContent.replace(/[\u25b2\u25bc]/g, "").replace(/\s+/g, " ").trim();
  const title = (table) => table.closest("section[aria-label]")?.getAttribute("aria-label") ?? table.caption?.textContent ?? "Table";
  const found = [...document.querySelectorAll("main table")]
    .filter((table) => table.tHead && table.tBodies[0]?.rows.length)
    .map((table) => ({
      title: title(table),
      text: [title(table), ...[...table.rows].map((row) => [...row.cells].map(text).join("\t"))].join("\n"),
      isLines: table.closest("details")?.parentElement.querySelector(":scope > .plot, :scope > .canvas.plot") != null,
    }));
  folded.forEach((one) => (one.open = false));
  return found;
}

/** A title as the name of a file. */
const fileName = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40) || "table";

/** Canvases of the page that show something. */
function canvases() {
  return [...document.querySelectorAll("main canvas[role=img]")].filter((canvas) => canvas.width > 1 && canvas.getBoundingClientRect().height > 1);
}

const TYPES = { svg: "image/svg+xml", csv: "text/csv", json: "application/json", html: "text/html" };

/** Everything that can be taken away: label and what the button does. */
async function takeaways(fragment, link, say) {
  const theme = getComputedStyle(root).colorScheme;
  const caption = document.querySelector(".say")?.textContent ?? "";
  const done = (name) => say(`Saved ${name}`);
  const store = (name, text) => {
    done(save(name, text, TYPES[name.split(".").pop()] ?? "text/plain"));
  };
  const copy = (text) => navigator.clipboard.writeText(text).then(
    () => say("Copied as text for mail"),
    () => say("The browser does not allow copying"),
  );
  const lines = [caption, link, `Slabscope ${build}`].filter(Boolean);
  const about = `${build}\n${theme}\n${caption}`;
  const list = (await ask("list", fragment, "", "")).split("\n").filter(Boolean).map((row) => row.split("\t"));
  const found = list.map(([name, label]) => [label, () => ask(name, fragment, link, about).then((text) => store(name, text))]);
  const asPng = (label, name, svg) => [1, 2].map((scale) => [`${label} as PNG ${scale}\u00d7`, async () => {
    const picture = await drawn(await svg());
    done(save(`${name}-${scale}x.png`, await png(picture, picture.naturalWidth, picture.naturalHeight, scale, lines)));
  }]);
  for (const [name, label] of list.filter(([name]) => name.endsWith(".svg"))) {
    found.push(...asPng(label.replace(" as SVG", ""), name.replace(".svg", ""), () => ask(name, fragment, link, about)));
  }
  // The map of a pool is drawn from no link alone: it is taken as it is on screen.
  if (!list.length || /(^|&)view=pool/.test(fragment)) {
    for (const canvas of canvases()) {
      const label = canvas.closest(".map-frame") ? "Map" : canvas.getAttribute("aria-label").split(/[:,.]/)[0];
      found.push([`${label} as on screen, PNG`, async () => {
        const { width, height } = canvas.getBoundingClientRect();
        done(save(`${fileName(label)}.png`, await png(canvas, width, height, devicePixelRatio, lines)));
      }]);
    }
  }
  for (const { title, text, isLines } of list.length ? [] : await tables()) {
    const name = fileName(title);
    for (const format of ["csv", "json"]) {
      found.push([`${title} as ${format.toUpperCase()}`, () => ask(`format.${format}`, text, link, about).then((text) => store(`${name}.${format}`, text))]);
    }
    found.push([`Copy ${title} for mail`, () => ask("format.txt", text, link, about).then(copy)]);
    if (isLines) {
      const svg = () => ask("format.svg", text, link, about);
      found.push([`${title} as SVG`, () => svg().then((text) => store(`${name}.svg`, text))], ...asPng(title, name, svg));
    }
  }
  return found;
}

/** A button that copies a text and says so. */
function copier(label, text, say) {
  return make("button", {
    type: "button",
    class: "button",
    click: () => navigator.clipboard?.writeText(text()).then(() => say(`${label}: done`), () => say("The browser does not allow copying"))
      ?? say("The browser does not allow copying"),
  }, label);
}

function choice(label, options, changed) {
  const list = make("select", { class: "input", change: changed }, ...options.map(([value, text]) => make("option", { value }, text)));
  return [make("label", {}, `${label} `, list), () => list.value];
}

/** Opens the dialog on what is shown now. */
export async function open() {
  // Loaded here, since nothing else needs it.
  if (!document.querySelector("link[data-share-style]")) {
    document.head.append(make("link", { rel: "stylesheet", href: "./share.css", "data-share-style": true }));
  }
  const fragment = app().dataset.fragment.replace(/&h=[^&]*/, "");
  const link = make("output", { class: "share-link mono", tabindex: "0" }, `${page()}#${fragment}`);
  const says = make("p", { class: "fine", role: "status" });
  const say = (text) => (says.textContent = text);
  const snippet = make("pre", { class: "mono", tabindex: "0" });
  const preview = make("iframe", { title: "Preview of the figure", loading: "lazy" });
  const lock = make("input", { type: "checkbox", change: () => show() });
  const [ui, uiNow] = choice("Shows", [["controls", "picture and controls"], ["min", "picture only"], ["full", "everything"]], () => show());
  const [theme, themeNow] = choice("Colours", [["", "the reader's"], ["light", "light"], ["dark", "dark"]], () => show());
  const show = () => {
    const plain = fragment.replace(/&(ui|theme|lock)=[^&]*/g, "");
    const extra = [["ui", uiNow() === "controls" ? "" : uiNow()], ["theme", themeNow()], ["lock", lock.checked ? "a,seed" : ""]].filter(([, value]) => value);
    const attributes = extra.map(([name, value]) => ` ${name}="${value}"`).join("");
    const quoted = plain.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    snippet.textContent = `<script async src="${new URL("embed.js", page())}"></script>\n<slab-scope scenario="${quoted}"${attributes}></slab-scope>`;
    preview.src = `./embed.html#${[plain, ...extra.map((pair) => pair.join("="))].join("&")}`;
  };
  const away = make("div", { class: "share-files" }, make("span", { class: "dim" }, "Working it out\u2026"));
  const dialog = make("dialog", { class: "share", "aria-labelledby": "share-title", close: () => dialog.remove() },
    make("header", { class: "head" }, make("h2", { id: "share-title" }, "Share this state"),
      make("button", { type: "button", class: "button", click: () => dialog.close() }, "Close")),
    make("section", {}, make("h3", {}, "Link"), link,
      make("p", { class: "tools" }, copier("Copy link", () => link.textContent, say),
        make("span", { class: "fine" }, "Only what differs from the defaults; no server holds it."))),
    make("section", { class: "share-embed" },
      make("div", {}, make("h3", {}, "Embed"), make("p", { class: "tools" }, ui, theme, make("label", {}, lock, " Allocator and seed stay fixed")),
        snippet, make("p", { class: "tools" }, copier("Copy snippet", () => snippet.textContent, say))),
      preview),
    make("section", {}, make("h3", {}, "Take away"), away, says));
  document.body.append(dialog);
  dialog.showModal();
  show();
  const result = await digest(fragment);
  if (result) link.textContent = `${page()}#${fragment}&h=${result}`;
  try {
    const files = await takeaways(fragment, link.textContent, say);
    away.replaceChildren(...files.map(([label, act]) => make("button", {
      type: "button",
      class: "button",
      click: () => Promise.resolve(act()).catch((error) => say(error.message)),
    }, label)));
  } catch (error) {
    away.replaceChildren(error.message);
  }
}
