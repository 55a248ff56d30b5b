// What pictures' modules need of a browser, for tests in Node: letters of a known width, and pixels.
// Every letter is half as wide as it is high, a bold one a tenth wider: so a test can be worked out by hand.
const WIDTH = 0.5, BOLD = 0.55;

globalThis.OffscreenCanvas ??= class {
  getContext() {
    return {
      font: "",
      measureText(text) {
        const [weight, size] = this.font.split(" ");
        return { width: [...text].length * parseFloat(size) * (weight === "700" ? BOLD : WIDTH) };
      },
    };
  }
};

globalThis.ImageData ??= class {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
  }
};

/** A page with black letters of 10 pixels on white, or on black in white. */
export const look = {
  paper: [255, 255, 255], ink: [0, 0, 0], muted: [72, 72, 72], line: [232, 232, 232], dark: false,
  font: "test", size: 10,
};
export const night = {
  ...look, paper: [0, 0, 0], ink: [255, 255, 255], muted: [184, 184, 184], line: [23, 23, 23], dark: true,
};

/** The shapes that are named `part`. */
export const partsOf = (shapes, part) => shapes.filter((shape) => shape.part === part);

/** A text's box: [left, top, right, bottom]. */
export function boxOf({ text, x, y, size, bold, anchor = "start" }) {
  const wide = [...text].length * size * (bold ? BOLD : WIDTH);
  const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * wide;
  return [left, y - size / 2, left + wide, y + size / 2];
}

/** Pairs of texts that lie on each other; slanted ones are left out. */
export function meetings(shapes) {
  const texts = shapes.filter(({ text, turn }) => text && !turn);
  const boxes = texts.map(boxOf);
  const meet = ([l, t, r, b], [left, top, right, bottom]) =>
    Math.min(r, right) - Math.max(l, left) > 0.5 && Math.min(b, bottom) - Math.max(t, top) > 0.5;
  return texts.flatMap(({ text }, i) =>
    texts.slice(i + 1).flatMap((other, k) => (meet(boxes[i], boxes[i + 1 + k]) ? [[text, other.text]] : [])));
}

/** The corners of a path that is a line: [[x, y], …]. */
export const cornersOf = (path) => path.slice(1).split("L").map((corner) => corner.split(" ").map(Number));

/** Whether two numbers, or lists of them, are as good as equal. */
export function near(found, wanted, by = 1e-6) {
  const [some, others] = [found, wanted].map((one) => [one].flat(3));
  const far = some.length !== others.length || some.some((x, i) => !(Math.abs(x - others[i]) <= by));
  if (far) throw new Error(`[${some}] is not [${others}]`);
}
