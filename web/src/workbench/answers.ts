// What the module answers, as far as the page reads it. Formats: crates/wasm/src/look.rs, docs/vorrang-check.schema.json.

export interface Diagnostic {
  readonly code: string;
  readonly warning: boolean;
  readonly message: string;
  readonly label: string;
  readonly help: string | null;
  readonly line: number;
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

export type Verdict = "proven" | "undecided" | "refuted";

/** A remedy: what becomes another one, such as `wcet of task.log`; in nanoseconds where it is a time. */
export interface Change {
  readonly what: string;
  readonly to: { readonly ns: number | null };
}

export interface Requirement {
  readonly name: string;
  readonly limit_ns: number;
  readonly bound_ns: number | null;
  readonly observed_ns: number | null;
  readonly verdict: Verdict;
  readonly by: string;
  /** What its bound takes on average; then it is proven of the average only. */
  readonly averages: readonly string[];
  readonly assumptions: readonly string[];
  readonly code: string | null;
  readonly reason: string | null;
  readonly help: string | null;
  readonly change: Change | null;
  readonly witness: { readonly arrival_ns: number; readonly deadline_ns: number; readonly replay: string } | null;
}

/** What is required of a chain. */
export interface Chain extends Omit<Requirement, "averages" | "change" | "witness"> {
  readonly requires: "reaction" | "age";
  readonly witness: { readonly from_ns: number; readonly replay: readonly string[] } | null;
}

export interface Share {
  readonly name: string;
  readonly on: string | null;
  readonly reserved_percent: string;
  readonly tasks_percent: string;
  readonly interrupts_percent: string;
  readonly costs_percent: string;
  readonly left_percent: string | null;
}

export interface Budget {
  readonly name: string;
  readonly verdict: Verdict;
  readonly reason: string | null;
}

/** A document of the format vorrang-check/1. */
export interface Check {
  readonly tool: string;
  readonly input_sha256: string;
  readonly verdict: Verdict | null;
  readonly requirements: readonly Requirement[];
  readonly budgets: readonly Budget[];
  readonly chains: readonly Chain[];
  readonly utilisation: readonly Share[];
  readonly simulation: { readonly runs: number; readonly seed: number };
}

export interface Refusal {
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The answer to `check`: exactly one of `refused`, `bug`, `wrong` and `check` is there. */
export interface Look {
  readonly refused?: Refusal;
  readonly bug?: string;
  readonly wrong?: string;
  readonly check?: string;
  readonly warnings?: readonly Diagnostic[];
}

/** The answer to `draw`: figures and derivation of a requirement of the last check, as HTML, or what is wrong. */
export interface Drawn {
  readonly wrong?: string;
  readonly requirement?: string;
  readonly html?: string;
}

/** The answer to `design`: exactly one of `text`, `absent` and `wrong` is there. */
export interface Designed {
  readonly text?: string;
  readonly steps?: number;
  readonly absent?: string;
  readonly wrong?: string;
}

/** A key of a table of descriptions. */
export interface Key {
  readonly name: string;
  readonly doc: string;
  readonly expected: string;
  readonly required: boolean;
  readonly quoted: boolean;
  readonly words: readonly { readonly word: string; readonly doc: string }[];
  readonly references: readonly string[];
  readonly keys: readonly Key[];
}

/** The answer to `keys`. */
export interface Words {
  readonly file: readonly Key[];
  readonly tables: Readonly<Record<string, { readonly doc: string; readonly keys: readonly Key[] }>>;
}
