import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { Log } from '../createLog.ts';
import type { DirectKeys } from '../direct/DirectKeys.ts';

/** Resources of which no controller watches the changes, and which are written often. */
const UNWATCHED: ReadonlySet<GroupResource> = new Set(['events', 'leases.coordination.k8s.io']);

/** The keys of the API's writes. What sends them needs the controllers, which are loaded with the first write and not with the first request. */
export class LateDirectKeys {
  readonly #load: () => Promise<DirectKeys>;
  readonly #log: Log;
  #loading: Promise<DirectKeys | undefined> | undefined;

  constructor(load: () => Promise<DirectKeys>, log: Log) {
    this.#load = load;
    this.#log = log;
  }

  /** Called when a write is acknowledged. */
  note(resource: GroupResource, change: () => Change): void {
    if (UNWATCHED.has(resource)) return;
    void this.#loaded().then((keys) => keys?.note(change));
  }

  /** Loads what sends the keys, so that the first write need not wait for it. */
  async load(): Promise<void> {
    await this.#loaded();
  }

  /** Resolves when nothing is left to send, see `DirectKeys.flush`. */
  async flush(): Promise<void> {
    const keys = await this.#loading;
    await keys?.flush();
  }

  #loaded(): Promise<DirectKeys | undefined> {
    return (this.#loading ??= this.#load().catch((error: unknown) => {
      this.#log({ level: 'warn', msg: 'keys are left to the stream', error: String(error) });
      return undefined;
    }));
  }
}
