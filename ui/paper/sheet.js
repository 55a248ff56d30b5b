// The letters are as large as one page of A4 and of US Letter allows; below 9 pt, a second page is better.
const LARGEST = 11, LEAST = 9, STEP = 0.25;
const HEIGHT = (252 / 25.4) * 96;
const MOST = 1.2, FEWEST = 0.6; // of a slide: how much larger and smaller its letters may become
const leaves = [...document.querySelectorAll(".leaf:not(.early)")]; // a document of several sheets has one for each
const slides = leaves.filter((one) => one.classList.contains("slide"));
const body = document.body.classList;
const present = document.getElementById("present");
const printed = matchMedia("print");

/** Makes the letters of a sheet as large as its page allows; returns whether it is too long all the same. */
function fits(sheet) {
  if (slides.includes(sheet)) return fills(sheet, "--fit");
  sheet.classList.remove("long");
  let size = LARGEST + STEP;
  do {
    size -= STEP;
    sheet.style.fontSize = `${size}pt`;
  } while (size > LEAST && sheet.scrollHeight > HEIGHT + 1);
  sheet.classList.toggle("long", sheet.scrollHeight > HEIGHT + 1);
  return sheet.classList.contains("long");
}

/** The same for a slide, on paper ("--fit") or in its window ("--seen"). */
function fills(slide, name) {
  for (let size = MOST; size > FEWEST; size -= 0.05) {
    slide.style.setProperty(name, size.toFixed(2));
    if (slide.scrollHeight <= slide.clientHeight + 1) return false;
  }
  return true;
}

function fit() {
  body.add("paper");
  const long = (leaves.length ? leaves : [document.querySelector("main")]).map(fits).some(Boolean);
  document.getElementById("long").hidden = !long;
  body.toggle("paper", printed.matches);
  if (body.contains("deck") && !printed.matches) slides.forEach((one) => fills(one, "--seen"));
}

/** The keys of a presenter's clicker, too. */
const TURNS = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

function turn(by) {
  const tops = slides.map((one) => one.getBoundingClientRect().top);
  const near = 8; // pixels
  const at = by > 0 ? tops.findIndex((top) => top > near) : tops.findLastIndex((top) => top < -near);
  if (at >= 0) slides[at].scrollIntoView();
  else if (by < 0) scrollTo(0, 0);
}

if (slides.length && slides.length === leaves.length) {
  body.add("deck");
  addEventListener("keydown", (event) => {
    const by = TURNS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    turn(by);
  });
  addEventListener("resize", () => body.contains("paper") || slides.forEach((one) => fills(one, "--seen")));
}
if (present && document.fullscreenEnabled) {
  present.hidden = false;
  present.addEventListener("click", async () => {
    await document.documentElement.requestFullscreen();
    present.blur();
    slides.find((one) => one.getBoundingClientRect().bottom > 8)?.scrollIntoView();
  });
}

fit();
document.fonts.ready.then(fit);
printed.addEventListener("change", (now) => body.toggle("paper", now.matches));
// A browser counts its pages before it tells the line above: of a sheet that is long on paper alone, the last was lost.
addEventListener("beforeprint", () => body.add("paper"));
addEventListener("afterprint", () => body.remove("paper"));
document.getElementById("print").addEventListener("click", () => print());
