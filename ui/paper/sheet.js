// The letters are as large as one page of A4 and of US Letter allows; below 9 pt, a second page is better.
const LARGEST = 11, LEAST = 9, STEP = 0.25;
const HEIGHT = (252 / 25.4) * 96;
const sheet = document.querySelector("main");
const body = document.body.classList;

function fit() {
  body.remove("long");
  body.add("paper");
  let size = LARGEST + STEP;
  do {
    size -= STEP;
    sheet.style.fontSize = `${size}pt`;
  } while (size > LEAST && sheet.scrollHeight > HEIGHT + 1);
  const long = sheet.scrollHeight > HEIGHT + 1;
  body.toggle("long", long);
  document.getElementById("long").hidden = !long;
}

fit();
if (!matchMedia("print").matches) body.remove("paper");
matchMedia("print").addEventListener("change", (now) => body.toggle("paper", now.matches));
document.getElementById("print").addEventListener("click", () => print());
