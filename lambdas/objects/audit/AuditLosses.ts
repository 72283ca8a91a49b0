/** Writes a line into the log of the process. */
type Report = (line: Readonly<Record<string, unknown>>) => void;

/** The line that begins a loss. An alarm counts it. */
export const EVENTS_LOST = 'audit events are lost';

/** Counts the events that an audit log loses. It says so once when that begins, and once when it is over, however many requests come meanwhile. */
export class AuditLosses {
  readonly #report: Report;
  #lost = 0;
  #isFailing = false;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Called with the number of events that were lost, and why. */
  add(count: number, error: unknown): void {
    this.#lost += count;
    if (this.#isFailing) return;
    this.#isFailing = true;
    const why = error instanceof Error ? error.message : String(error);
    this.#report({ level: 'error', msg: EVENTS_LOST, error: why });
  }

  /** Called after each write that has succeeded. */
  endFailure(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#report({ level: 'warn', msg: 'audit events are kept again', lost: this.#lost });
    this.#lost = 0;
  }
}
