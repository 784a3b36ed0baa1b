// What is said between the page and its workers.

import type { Progress } from "./wasm";

export type ToWorker =
  | { readonly kind: "module"; readonly module: WebAssembly.Module }
  | { readonly kind: "request"; readonly number: number; readonly request: string };

export type FromWorker =
  | { readonly kind: "progress"; readonly number: number; readonly progress: Progress }
  | { readonly kind: "reply"; readonly number: number; readonly reply: string; readonly took: number }
  | { readonly kind: "broken"; readonly number: number; readonly text: string };
