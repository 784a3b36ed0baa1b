// The workbench: a description on one side, what is known of it on the other.

import { redo, undo } from "@codemirror/commands";
import { checked, described, fragment, fromBase64, through, type Described } from "./address";
import type { Check, Designed, Look, Words } from "./answers";
import { asked, looked } from "./asked";
import { compare, type Before } from "./before";
import { Desk } from "./desk";
import { Drawing } from "./drawing";
import { edit, type Editor } from "./editor";
import { byId, element, marked } from "./elements";
import { offerExamples } from "./examples";
import { opened, save } from "./files";
import { tableAt } from "./linked";
import { Looking, type Seen } from "./looking";
import { results, sayVerdict } from "./results";
import { Ranges } from "./ranges";
import { inSight, knobsOf, remedy, showProven } from "./sliders";
import { instantiate, type Progress } from "./wasm";

/** What the page begins with: from its address, from who served it, or an example. */
async function beginning(): Promise<Described> {
  const given = checked(JSON.parse(byId("given").textContent) as unknown);
  return (await described(location.hash)) ?? given ?? { name: "system.toml", text: byId("example").textContent, files: {} };
}

async function core(): Promise<WebAssembly.Module> {
  const packed = fromBase64(byId("core").textContent.trim());
  return WebAssembly.compile(await through(packed, new DecompressionStream("gzip")));
}

function say(text: string): void {
  byId("state").textContent = text;
}

/** Shows how far a search for a design is; it is no status that is read aloud at each step. */
function searched(progress: Progress | undefined): void {
  byId("search").hidden = progress === undefined;
  const { done, most } = progress ?? { done: 0, most: 1 };
  const bar = byId("searched") as HTMLProgressElement;
  bar.max = most;
  bar.value = done;
  byId("steps").textContent = `${done} of at most ${most} steps`;
}

class Workbench {
  private readonly editor: Editor;
  private readonly ranges: Ranges;
  private readonly looking: Looking;
  private readonly drawing = new Drawing(
    () => this.system.text,
    (place) => {
      this.editor.goTo(place);
    },
  );
  /** The version that was kept to be compared with. */
  private before: Before | undefined;
  private last: Check | undefined;
  private chosen: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private system: Described,
    module: WebAssembly.Module,
    words: Words,
    private readonly explain: (code: string) => string,
  ) {
    const script = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
    const broken = (text: string): void => {
      say(`This is a bug of Vorrang, please report it with the description: ${text}`);
    };
    this.looking = new Looking(new Desk(module, script, 400, broken), new Desk(module, script, 0, broken), {
      seen: (seen) => this.show(seen),
      drawn: (drawn, isWhole) => {
        this.drawing.show(drawn, isWhole);
      },
      margins: (drawn) => {
        this.drawing.showMargins(drawn);
      },
    });
    const moved = (place: number): void => {
      this.drawing.at(tableAt(this.system.text, place));
    };
    this.editor = edit(byId("editor"), system.text, words, (text) => { this.changed(text); }, moved);
    this.ranges = new Ranges(new Desk(module, script, 0, broken), (proven) => {
      showProven(this.editor.view, proven);
      byId("editor").dataset["ranges"] = String(proven.size);
    });
    this.buttons();
    this.changed(system.text);
  }

  /** Another description. */
  load(system: Described): void {
    this.system = system;
    this.chosen = undefined;
    // Of another description nothing is known yet.
    this.last = undefined;
    document.querySelector(".right")?.scrollTo(0, 0);
    this.keep(undefined);
    this.editor.load(system.text);
  }

  /** Another one, from which the browser's way back leads to this one. */
  private async open(system: Described): Promise<void> {
    await this.address();
    history.pushState(null, "", location.href);
    this.load(system);
  }

  /** Keeps a version to be compared with, or none. */
  private keep(before: Before | undefined): void {
    this.before = before;
    byId("compare").setAttribute("aria-pressed", String(before !== undefined));
    compare(this.editor.view, before);
  }

  /** Chooses what is left open, and shows what that changes. */
  private design(): void {
    const { text } = this.system;
    this.ranges.giveUp();
    say("Searching for a design; an edit ends that …");
    const found = (designed: Designed): void => {
      searched(undefined);
      if (designed.text === undefined) {
        say((designed.absent ?? designed.wrong ?? "").trim());
        return;
      }
      this.editor.replace(designed.text);
      this.keep({ text, check: undefined });
    };
    this.looking.design(this.system, found, searched);
  }

  private changed(text: string): void {
    this.system = { ...this.system, text };
    byId("name").textContent = this.system.name;
    document.title = `${this.system.name} – Vorrang workbench`;
    byId("results").setAttribute("aria-busy", "true");
    searched(undefined);
    this.ranges.giveUp();
    delete byId("editor").dataset["ranges"];
    this.looking.at(this.system);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.address(), 250);
  }

  private async address(): Promise<void> {
    history.replaceState(null, "", await fragment(this.system));
  }

  /** Shows a look, and says what is to be drawn. */
  private show({ look, isWhole, took }: Seen): string | undefined {
    const complaints = look.refused?.diagnostics ?? look.warnings ?? [];
    this.editor.show(complaints);
    this.complain(complaints);
    const isOpen = complaints.length > 0 && complaints.every(({ code }) => code === "E0109");
    (byId("design") as HTMLButtonElement).disabled = !isOpen;
    const results = byId("results");
    results.dataset["whole"] = String(isWhole);
    if (look.check === undefined) {
      // What was known before stays in sight, and is said to be of another text.
      results.classList.toggle("old", this.last !== undefined);
      if (this.last === undefined) {
        const missing = isOpen ? OPEN : "There are no results yet: correct what is marked in the text.";
        results.replaceChildren(element("p", { class: "quiet" }, missing));
        byId("json").textContent = "";
      }
      const verdict = byId("verdict");
      verdict.className = "whole";
      verdict.dataset["verdict"] = "none";
      verdict.textContent = "Not checked as it stands.";
      const refused = isOpen ? open(complaints.length) : refusal(complaints.length, this.last !== undefined);
      say(look.refused === undefined ? (look.bug ?? look.wrong ?? "") : refused);
      if (look.refused !== undefined && complaints.length === 0) {
        say(look.refused.message);
      }
    } else {
      results.classList.remove("old");
      // As it was answered: what programs read is in the page, byte for byte.
      byId("json").textContent = look.check;
      this.last = JSON.parse(look.check) as Check;
      this.draw();
      say(`${isWhole ? "Checked" : "First look"} in ${took.toFixed(0)} ms${isWhole ? "" : ", searching on …"}`);
    }
    results.setAttribute("aria-busy", String(!isWhole && look.check !== undefined));
    if (isWhole && look.check !== undefined && this.last?.verdict === "proven") {
      void this.ranges.at(this.system, knobsOf(this.editor.view), inSight(this.editor.view));
    }
    return look.check === undefined ? undefined : this.looked();
  }

  /** The name of the requirement that is looked at. */
  private looked(): string | undefined {
    return this.last === undefined ? undefined : looked(asked(this.last), this.chosen)?.name;
  }

  private draw(): void {
    if (this.last === undefined) {
      return;
    }
    const check = this.last;
    sayVerdict(byId("verdict"), check);
    const held = document.activeElement?.textContent;
    const results_ = byId("results");
    const had = results_.contains(document.activeElement) && !this.drawing.place.contains(document.activeElement);
    const scrolled = this.drawing.place.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
    const rows = (): Element | null => results_.querySelector(".rows");
    const down = rows()?.scrollTop ?? 0;
    const one = looked(asked(check), this.chosen);
    this.drawing.wait(one?.name);
    results_.replaceChildren(
      ...results(check, one, [this.drawing.place, this.drawing.margins], {
        choose: (name) => {
          this.chosen = name;
          this.draw();
          this.looking.draw(name);
        },
        explain: this.explain,
        write: (change) => remedy(this.editor.view, change),
        before: this.before,
      }),
    );
    rows()?.scrollTo(0, down);
    scrolled?.focus();
    if (had) {
      const again = [...results_.querySelectorAll("button")].find((button) => button.textContent === held);
      again?.focus();
    }
  }

  private complain(complaints: Look["warnings"] & object): void {
    const lines = complaints.map((found) => {
      const place = `${this.system.name}:${found.line}:${found.column}`;
      const button = element("button", { type: "button" }, place);
      button.addEventListener("click", () => {
        this.editor.goTo(found.from);
      });
      const kind = found.warning ? "undecided" : "refuted";
      const help = found.help === null ? "" : ` help: ${found.help}`;
      return element("li", {}, button, " ", element("b", { class: `verdict ${kind}` }, found.code), ...marked(` ${found.message}.${help}`));
    });
    byId("complaints").replaceChildren(...lines);
  }

  private buttons(): void {
    const on = (id: string, action: () => void): void => {
      byId(id).addEventListener("click", action);
    };
    const picker = byId("picker") as HTMLInputElement;
    on("open", () => {
      picker.click();
    });
    picker.addEventListener("change", () => {
      void opened([...(picker.files ?? [])]).then((system) => {
        if (system !== undefined) {
          void this.open(system);
        }
        picker.value = "";
      });
    });
    on("save", () => {
      save(this.system.name, this.system.text);
    });
    on("design", () => {
      this.design();
    });
    on("compare", () => {
      this.keep(this.before === undefined ? { text: this.system.text, check: this.last } : undefined);
      this.draw();
      const name = this.looked();
      if (name !== undefined) {
        this.looking.draw(name);
      }
    });
    offerExamples(byId("offered"), (system) => {
      void this.open(system);
    });
    on("undo", () => {
      undo(this.editor.view);
    });
    on("redo", () => {
      redo(this.editor.view);
    });
    on("copy", () => {
      void this.address()
        .then(() => navigator.clipboard.writeText(location.href))
        .then(
          () => {
            say("The address, with the description in it, is on the clipboard.");
          },
          () => {
            say("The description is in the address of this page: copy it from there.");
          },
        );
    });
    // On paper stands all of the text, and not what is in sight of it.
    window.addEventListener("beforeprint", () => {
      byId("printed").textContent = this.system.text;
    });
    window.addEventListener("hashchange", () => {
      void described(location.hash).then((system) => {
        if (system !== undefined && system.text !== this.system.text) {
          this.load(system);
        }
      });
    });
  }
}

/** What is said where the text is wrong in nothing but that it is not finished. */
const OPEN = "There are no results yet: “Design this” chooses the values that are left open, or write them into the text.";

function open(count: number): string {
  return count === 1 ? "1 value is left open." : `${count} values are left open.`;
}

function refusal(count: number, isBefore: boolean): string {
  const errors = count === 1 ? "1 error" : `${count} errors`;
  return isBefore ? `${errors}: the results are of the text before.` : `${errors}.`;
}

async function begin(): Promise<void> {
  const [system, module] = await Promise.all([beginning(), core()]);
  // What the page asks for itself is no search.
  const ask = await instantiate(module, () => undefined);
  const words = JSON.parse(ask(JSON.stringify({ verb: "keys" }))) as Words;
  const { style } = JSON.parse(ask(JSON.stringify({ verb: "style" }))) as { readonly style: string };
  document.head.append(element("style", {}, style));
  const explain = (code: string): string => {
    const { page } = JSON.parse(ask(JSON.stringify({ verb: "explain", code }))) as { readonly page: string | null };
    return page ?? "";
  };
  new Workbench(system, module, words, explain);
}

void begin().catch((problem: unknown) => {
  say(`The workbench cannot start: ${String(problem)}`);
});
