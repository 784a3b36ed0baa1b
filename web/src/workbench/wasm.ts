// The module as a function from text to text; how its memory is shared is said in crates/wasm/src/memory.rs.

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  readonly room: (length: number) => number;
  readonly reply: () => number;
  readonly complaint: () => number;
}

/** What the module said when it broke; the instance is of no use afterwards. */
export class Broken extends Error {}

/** How far a search is: steps that were taken, and may be at most. */
export interface Progress {
  readonly done: number;
  readonly most: number;
}

/** An instance that answers requests, one after the other; `told` hears how far a long search is. */
export async function instantiate(module: WebAssembly.Module, told: (progress: Progress) => void): Promise<(request: string) => string> {
  const progress = (done: number, most: number): void => {
    told({ done, most });
  };
  const instance = await WebAssembly.instantiate(module, { page: { progress } });
  const core = instance.exports as Exports;
  return (request) => {
    const bytes = new TextEncoder().encode(request);
    const at = core.room(bytes.length) >>> 0;
    new Uint8Array(core.memory.buffer).set(bytes, at);
    try {
      return read(core.memory, core.reply());
    } catch {
      throw new Broken(read(core.memory, core.complaint()));
    }
  };
}

/** The text behind its length. */
function read(memory: WebAssembly.Memory, place: number): string {
  const at = place >>> 0;
  const length = new DataView(memory.buffer).getUint32(at, true);
  return new TextDecoder().decode(new Uint8Array(memory.buffer, at + 4, length));
}
