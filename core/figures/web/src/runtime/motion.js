// A number that moves by itself: to another one, or through all whole numbers up to the last. Idle otherwise.
const SHORT = 180; // milliseconds to another layer
const LONG = 3400; // the whole way at most, and the pause at its beginning
const STEP = 560; // for one layer, where there are few
const BEGIN = 350; // milliseconds at the first position, to make it visible
const FRAME = 200; // milliseconds that one frame counts at most: a hidden tab draws none, and skips nothing

/**
 * Whether an event presses the button that it happens on.
 * @param {Event} event
 */
export const presses = (event) =>
  event.type === "pointerdown" || (event instanceof KeyboardEvent && [" ", "Enter"].includes(event.key));

export const isQuiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether a picture may move by itself when it is first drawn. */
export const mayOpen = () => !isQuiet() && document.visibilityState === "visible";

/**
 * Reports any action of a visitor, anywhere in the page.
 * @param {AbortSignal} signal
 * @param {(event: PointerEvent | KeyboardEvent | WheelEvent) => void} act
 */
export function untilActed(signal, act) {
  for (const type of /** @type {const} */ (["pointerdown", "keydown", "wheel"])) {
    document.addEventListener(type, act, { capture: true, passive: true, signal });
  }
}

export class Motion {
  /** The requested animation frame. */
  frame = 0;
  going = false;
  /** Whether it moves through all whole numbers. */
  playing = false;

  /**
   * @param {(at: number) => void} reach called with the number in each frame
   * @param {() => void} arrived called once it is there
   */
  constructor(reach, arrived) {
    this.reach = reach;
    this.arrived = arrived;
  }

  /**
   * From one number to another in a short time.
   * @param {number} from
   * @param {number} end
   */
  to(from, end) {
    this.run(0, SHORT, (share) => from + (end - from) * share * (2 - share), end);
  }

  /**
   * Moves through every whole number, and slows down near each.
   * @param {number} from
   * @param {number} end
   */
  through(from, end) {
    this.run(BEGIN, Math.min(LONG - BEGIN, STEP * (end - from)), (share) => {
      const at = from + (end - from) * share, whole = Math.floor(at), part = at - whole;
      return whole + part * part * (3 - 2 * part);
    }, end);
    this.playing = true;
  }

  /**
   * @param {number} wait milliseconds
   * @param {number} time milliseconds
   * @param {(share: number) => number} at the number at this share of the time
   * @param {number} end
   */
  run(wait, time, at, end) {
    this.stop();
    this.going = true;
    let before = performance.now(), spent = -wait;
    const step = (/** @type {number} */ now) => {
      spent += Math.min(FRAME, now - before);
      before = now;
      const share = Math.min(1, Math.max(0, spent / Math.max(1, time)));
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
