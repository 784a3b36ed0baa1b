// The description in the address, so that it can be sent: behind `#`, compressed; no server ever sees that part.

/** A description with its name, and the profiles that it names. */
export interface Described {
  readonly name: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The part behind `#`. */
export async function fragment(described: Described): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(described));
  return `#d=${toBase64(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/** What such a part says; `undefined` where it is none. */
export async function described(hash: string): Promise<Described | undefined> {
  if (!hash.startsWith("#d=")) {
    return undefined;
  }
  try {
    const bytes = await through(fromBase64(hash.slice(3)), new DecompressionStream("deflate-raw"));
    return checked(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

/** A described system, if it is one: an address may say anything. */
export function checked(value: unknown): Described | undefined {
  if (typeof value !== "object" || value === null || !("name" in value) || !("text" in value)) {
    return undefined;
  }
  const { name, text } = value;
  const given: unknown = "files" in value ? value.files : {};
  if (typeof name !== "string" || typeof text !== "string" || typeof given !== "object" || given === null) {
    return undefined;
  }
  const files = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
  return { name, text, files };
}

/** Bytes through a stream that makes others of them. */
export async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Bytes of base64, of either alphabet. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
