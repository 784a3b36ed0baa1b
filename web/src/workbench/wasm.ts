// The module as a function from text to text; how its memory is shared is said in crates/wasm/src/memory.rs.

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  readonly room: (length: number) => number;
  readonly reply: () => number;
  readonly complaint: () => number;
}

/** What the module said when it broke; the instance is of no use afterwards. */
export class Broken extends Error {}

/** An instance that answers requests, one after the other. */
export async function instantiate(module: WebAssembly.Module): Promise<(request: string) => string> {
  const instance = await WebAssembly.instantiate(module, {});
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
