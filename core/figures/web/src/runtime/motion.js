// A number that moves by itself: to another one, or through all whole numbers up to the last. Idle otherwise.
const SHORT = 180; // milliseconds to another layer
const LONG = 3400; // the whole way at most, and the pause at its beginning
const STEP = 560; // for one layer, where there are few
const BEGIN = 350; // milliseconds at the first place, so that it is seen

export const PRESSING = [" ", "Enter"]; // the keys that press a button

export const isQuiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether a picture may move by itself when it is first drawn. */
export const mayOpen = () => !isQuiet() && document.visibilityState === "visible";

/** Tells of whatever a visitor does, anywhere in the page. */
export function untilActed(signal, act) {
  for (const type of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(type, act, { capture: true, passive: true, signal });
  }
}

export class Motion {
  /** @param reach called with the number in each frame @param arrived called once it is there */
  constructor(reach, arrived) {
    Object.assign(this, { reach, arrived, frame: 0, going: false, playing: false });
  }

  /** From one number to another in a short time. */
  to(from, end) {
    this.run(0, SHORT, (share) => from + (end - from) * share * (2 - share), end);
  }

  /** Through every whole number, slower about each of them than between two. */
  through(from, end) {
    this.run(BEGIN, Math.min(LONG - BEGIN, STEP * (end - from)), (share) => {
      const at = from + (end - from) * share, whole = Math.floor(at), part = at - whole;
      return whole + part * part * (3 - 2 * part);
    }, end);
    this.playing = true;
  }

  run(wait, time, at, end) {
    this.stop();
    this.going = true;
    const begin = performance.now() + wait;
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - begin) / Math.max(1, time)));
      if (share < 1) {
        this.frame = requestAnimationFrame(step);
        this.reach(at(share));
        return;
      }
      this.stop();
      this.reach(end);
      this.arrived();
    };
    this.frame = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.going = this.playing = false;
  }
}
