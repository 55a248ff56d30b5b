// What the page was told and has not answered yet: its answer does not turn back what was done since.

export class Awaited {
  constructor() {
    this.values = [];
  }

  told(value) {
    this.values.push(value);
  }

  /** Whether what the page asks for is an answer; what was told before it is answered as well. */
  answered(value) {
    const i = this.values.lastIndexOf(value);
    this.values = this.values.slice(i + 1);
    return i >= 0;
  }
}
