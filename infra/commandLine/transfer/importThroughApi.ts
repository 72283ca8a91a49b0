import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { SendRequest } from '../../host/SendRequest.ts';
import { UsageError } from '../../host/UsageError.ts';
import { isDefinition, whenEstablished } from '../../host/whenEstablished.ts';
import { discoverKinds, type ServedKind } from './listAllObjects.ts';
import { planImport } from './planImport.ts';
import { withoutOldLife } from './withoutOldLife.ts';

export interface Imported {
  readonly created: number;
  /** Objects that the control plane had already. They stay as they are. */
  readonly existing: number;
  readonly leftToControllers: number;
  /** One line for each object that was refused. */
  readonly refused: readonly string[];
}

export interface ImportOptions {
  readonly send: SendRequest;
  readonly objects: readonly KubernetesObject[];
  readonly onProgress: (done: number, of: number) => void;
}

/** How many objects are created at the same time. */
const CONCURRENCY = 8;
const ATTEMPTS = 5;
const RETRY_MS = 1_000;

/**
 * Creates the objects through the API of a control plane, which gives them new UIDs. Then sets the owner references, with the owners' new UIDs, where a controller has not done it. References to owners
 * that were not imported are left out, since the garbage collector would delete their objects. It can be repeated after a failure: what is there already stays.
 */
export async function importThroughApi({ send, objects, onProgress }: ImportOptions): Promise<Imported> {
  const target = new Target(send);
  await target.discover();
  const { steps, leftToControllers } = planImport(objects);
  const total = steps.flat().length;
  let done = 0;
  for (const step of steps) {
    await inParallel(step, async (object) => {
      await target.create(object);
      onProgress((done += 1), total);
    });
    // What is defined now is served, too.
    if (step.some(isDefinition)) await target.discover();
  }
  await inParallel(steps.flat(), (object) => target.setOwners(object));
  return { created: target.created, existing: target.existing, leftToControllers, refused: target.refused };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The control plane that is imported into. */
class Target {
  created = 0;
  existing = 0;
  readonly refused: string[] = [];
  readonly #send: SendRequest;
  #kinds: readonly ServedKind[] = [];
  /** The new UID of each object, by its old one. */
  readonly #newUids = new Map<string, string>();

  constructor(send: SendRequest) {
    this.#send = send;
  }

  /** Finds out what the control plane serves now. */
  async discover(): Promise<void> {
    this.#kinds = await discoverKinds(this.#send);
  }

  async create(object: KubernetesObject): Promise<void> {
    const collection = this.#collectionOf(object);
    if (collection === undefined)
      return this.#refuse(object, `no matches for kind ${object.kind} in ${object.apiVersion}`);
    const created = await this.#request(collection, 'POST', withoutOldLife(object));
    // An object that exists may be refused for another reason, such as a Service whose address is taken: by itself.
    const found =
      created.object ??
      (await this.#request(`${collection}/${encodeURIComponent(object.metadata.name)}`, 'GET')).object;
    if (!found) return this.#refuse(object, created.message);
    if (isDefinition(object))
      await whenEstablished(this.#send, `${collection}/${encodeURIComponent(object.metadata.name)}`).catch(
        (error: unknown) => this.#refuse(object, error instanceof Error ? error.message : String(error)),
      );
    if (created.object) this.created += 1;
    else this.existing += 1;
    if (object.metadata.uid) this.#newUids.set(object.metadata.uid, found.metadata.uid);
  }

  async setOwners(object: KubernetesObject): Promise<void> {
    const wanted = (object.metadata.ownerReferences ?? []).flatMap((owner) => {
      const uid = this.#newUids.get(owner.uid);
      return uid === undefined ? [] : [{ ...owner, uid }];
    });
    const collection = this.#collectionOf(object);
    if (wanted.length === 0 || collection === undefined || !this.#newUids.has(object.metadata.uid)) return;
    const path = `${collection}/${encodeURIComponent(object.metadata.name)}`;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { object: current } = await this.#request(path, 'GET');
      const has = current?.metadata.ownerReferences ?? [];
      const isControlled = has.some(({ controller }) => controller === true);
      const missing = wanted.filter(
        ({ uid, controller }) => !(controller === true && isControlled) && has.every((one) => one.uid !== uid),
      );
      if (!current || missing.length === 0) return;
      const { resourceVersion } = current.metadata;
      const metadata = { resourceVersion, ownerReferences: [...has, ...missing] };
      const patched = await this.#request(path, 'PATCH', { metadata });
      if (patched.object) return;
      if (patched.status !== 409) return this.#refuse(object, `its owners were refused: ${patched.message}`);
    }
    this.#refuse(object, 'its owners could not be set, because it kept changing');
  }

  #refuse({ kind, metadata: { namespace, name } }: KubernetesObject, why: string): void {
    this.refused.push(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}: ${why}`);
  }

  #collectionOf({ apiVersion, kind, metadata }: KubernetesObject): string | undefined {
    const group = (version: string) => (version.includes('/') ? version.split('/')[0] : '');
    const served = this.#kinds.find((one) => one.kind === kind && group(one.apiVersion) === group(apiVersion));
    if (!served) return undefined;
    const scope = served.namespaced ? `/namespaces/${encodeURIComponent(metadata.namespace ?? 'default')}` : '';
    return `${served.root}${scope}/${served.plural}`;
  }

  /** Sends a request, again if the control plane is busy. Throws a UsageError if it keeps failing. */
  async #request(path: string, method: string, body?: object) {
    for (let attempt = 1; ; attempt += 1) {
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = { 'Content-Type': contentType };
      const response = await this.#send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (response.ok)
        return { status: response.status, message: '', object: (await response.json()) as KubernetesObject };
      const { message = response.statusText } = (await response.json().catch(() => ({}))) as { message?: string };
      if (response.status !== 429 && response.status < 500) return { status: response.status, message };
      if (attempt === ATTEMPTS) throw new UsageError(`the control plane keeps failing: ${message}`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
    }
  }
}
