// The worker: takes the module once, then one request at a time.

import { Broken, instantiate } from "./wasm";
import type { FromWorker, ToWorker } from "./messages";

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
};

let number = 0;
let core: Promise<(request: string) => string> | undefined;

scope.onmessage = ({ data }): void => {
  if (data.kind === "module") {
    core = instantiate(data.module, (progress) => {
      scope.postMessage({ kind: "progress", number, progress });
    });
    return;
  }
  number = data.number;
  void answer(data.request);
};

async function answer(request: string): Promise<void> {
  const started = performance.now();
  try {
    const ask = await core;
    const reply = ask ? ask(request) : "";
    scope.postMessage({ kind: "reply", number, reply, took: performance.now() - started });
  } catch (problem) {
    const text = problem instanceof Broken ? problem.message : String(problem);
    scope.postMessage({ kind: "broken", number, text });
  }
}
