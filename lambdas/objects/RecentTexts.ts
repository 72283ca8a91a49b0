/** The latest texts made for objects, up to a count and a total length. A text that is longer than the total is not kept. */
export class RecentTexts {
  /** The oldest first. */
  readonly #texts = new Map<object, string>();
  readonly #limits: { readonly count: number; readonly characters: number };
  #characters = 0;

  constructor(limits: { readonly count: number; readonly characters: number }) {
    this.#limits = limits;
  }

  /** Returns the text kept for this object. */
  find(object: object): string | undefined {
    return this.#texts.get(object);
  }

  /** Returns the text kept for this object, or makes and keeps it. */
  get(object: object, make: () => string): string {
    const known = this.find(object);
    if (known !== undefined) return known;
    const text = make();
    this.keep(object, text);
    return text;
  }

  /** Keeps the text of an object that has none yet. */
  keep(object: object, text: string): void {
    this.#texts.set(object, text);
    this.#characters += text.length;
    this.#dropOldest();
  }

  #dropOldest(): void {
    for (const [object, text] of this.#texts) {
      if (this.#texts.size <= this.#limits.count && this.#characters <= this.#limits.characters) return;
      this.#texts.delete(object);
      this.#characters -= text.length;
    }
  }
}
