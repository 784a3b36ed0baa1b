// One worker that serves the newest request.
//
//   ask a ──▶ works on a
//   ask b     b waits, for so long as the desk has patience with a
//   ask c     c waits, b is never looked at
//             a is answered: c is worked on; or patience ends: a is given up for c
//
// A request that needs what the worker found before, such as a drawing, always waits.
//
// Nothing can interrupt a module while it works, so its worker is ended and another one started. The module is compiled
// once, and a new instance of it is there in a few milliseconds.

import type { FromWorker, ToWorker } from "./messages";
import type { Progress } from "./wasm";

/** What becomes of a request that was not given up. */
export interface Reply {
  readonly text: string;
  /** How long the module worked, in milliseconds. */
  readonly took: number;
}

interface Question {
  readonly request: unknown;
  readonly told: (reply: Reply) => void;
  readonly goesOn: ((progress: Progress) => void) | undefined;
}

export class Desk {
  private worker: Worker | undefined;
  private number = 0;
  private current: Question | undefined;
  private next: Question | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `patience` in milliseconds: so long a request goes on when there is a newer one. */
  constructor(
    private readonly module: WebAssembly.Module,
    private readonly script: string,
    private readonly patience: number,
    private readonly broken: (text: string) => void,
  ) {}

  /** Asks; `told` is called unless something newer is asked before, and meanwhile `goesOn`. */
  ask(request: unknown, told: (reply: Reply) => void, waits = false, goesOn?: (progress: Progress) => void): void {
    this.next = { request, told, goesOn };
    if (this.current === undefined) {
      this.begin();
    } else if (waits) {
      clearTimeout(this.timer);
      this.timer = undefined;
    } else if (this.patience === 0) {
      this.end();
      this.begin();
    } else {
      this.timer ??= setTimeout(() => {
        this.end();
        this.begin();
      }, this.patience);
    }
  }

  /** Forgets whatever was asked. */
  giveUp(): void {
    this.next = undefined;
    this.end();
  }

  /** The next one, unless who was told has asked something already. */
  private begin(): void {
    if (this.current === undefined && this.next !== undefined) {
      this.current = this.next;
      this.next = undefined;
      this.number += 1;
      this.send({ kind: "request", number: this.number, request: JSON.stringify(this.current.request) });
    }
  }

  private end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.current !== undefined) {
      this.worker?.terminate();
      this.worker = undefined;
      this.current = undefined;
    }
  }

  private send(message: ToWorker): void {
    if (this.worker === undefined) {
      this.worker = new Worker(this.script);
      this.worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => {
        this.heard(data);
      };
      this.worker.postMessage({ kind: "module", module: this.module } satisfies ToWorker);
    }
    this.worker.postMessage(message);
  }

  private heard(message: FromWorker): void {
    const current = this.current;
    if (message.number !== this.number || current === undefined) {
      return;
    }
    if (message.kind === "progress") {
      current.goesOn?.(message.progress);
      return;
    }
    if (message.kind === "broken") {
      this.end();
      this.broken(message.text);
    } else {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.current = undefined;
      // The answer to a request that was replaced is not shown.
      if (this.next === undefined) {
        current.told({ text: message.reply, took: message.took });
      }
    }
    this.begin();
  }
}
