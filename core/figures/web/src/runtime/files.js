// The files of a picture that its page makes on request (`ui/serving/files.py`).
/** @import { AnyPicture } from "../types" */
import { m } from "./language.js";

const AGAIN = [0, 300, 1200, 4000, 8000, 16000]; // milliseconds before each try to fetch a file
const MOST_AWAY = 4; // tries at a server that does not answer; a server that answers may have to load a model first
const AWAY = () => m("The server does not answer, so the file could not be made. Try again in a moment, or reload the page.");
const GONE = () => m("This file is no longer there. Reload the page, and save it again.");

/**
 * A file of this kind, for the current choices. Throws an error whose message is a sentence for the visitor.
 *
 * If the server no longer has the file, or was restarted, the picture requests another run of the page, which
 * sends a new address.
 * @param {Pick<AnyPicture, "wanted" | "emit" | "report">} picture
 * @param {string} kind
 * @param {readonly number[]} again
 * @returns {Promise<{ blob: Blob, name: string }>}
 */
export async function fileOf(picture, kind, again = AGAIN) {
  await picture.report.isHeard();
  let why = AWAY(), away = 0;
  for (const wait of again) {
    if (away === MOST_AWAY) break;
    if (wait) await new Promise((done) => { setTimeout(done, wait); });
    const file = picture.wanted.files.find((one) => one.kind === kind);
    if (!file) throw new Error(GONE());
    const answer = await fetch(file.address).catch(() => null); // the network, or the server, is away for now
    if (answer?.ok) return { blob: await answer.blob(), name: file.name };
    if (answer?.status === 404) {
      why = GONE();
      picture.emit("lost", { file: file.address });
    } else if (answer?.headers.get("content-type")?.startsWith("text/plain")) {
      throw new Error((await answer.text()).trim()); // the answer says why
    } else {
      why = AWAY();
      away += 1;
    }
  }
  throw new Error(why);
}
