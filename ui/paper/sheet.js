// The letters are as large as one page of A4 and of US Letter allows; below 9 pt, a second page is better.
const LARGEST = 11, LEAST = 9, STEP = 0.25;
const HEIGHT = (252 / 25.4) * 96;
const leaves = [...document.querySelectorAll(".leaf")]; // a document of several sheets has one for each
const body = document.body.classList;

/** Makes the letters of a sheet as large as its page allows; returns whether it is too long all the same. */
function fits(sheet) {
  sheet.classList.remove("long");
  let size = LARGEST + STEP;
  do {
    size -= STEP;
    sheet.style.fontSize = `${size}pt`;
  } while (size > LEAST && sheet.scrollHeight > HEIGHT + 1);
  sheet.classList.toggle("long", sheet.scrollHeight > HEIGHT + 1);
  return sheet.classList.contains("long");
}

function fit() {
  body.add("paper");
  const long = (leaves.length ? leaves : [document.querySelector("main")]).map(fits).some(Boolean);
  document.getElementById("long").hidden = !long;
}

fit();
if (!matchMedia("print").matches) body.remove("paper");
matchMedia("print").addEventListener("change", (now) => body.toggle("paper", now.matches));
// A browser counts its pages before it tells the line above: of a sheet that is long on paper alone, the last was lost.
addEventListener("beforeprint", () => body.add("paper"));
addEventListener("afterprint", () => body.remove("paper"));
document.getElementById("print").addEventListener("click", () => print());
