import { decodeStreamRecord } from '../../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { type Change, subjectOf } from '../../../lambdas/ports/ChangeLog.ts';
import type { TableChange } from '../../model/dynamo/DynamoTable.ts';

/** What one namespace has in the table, from the instant of each write on, and when each change was written. */
export class TableMirror {
  readonly deployments = new Map<string, Deployment>();
  readonly replicaSets = new Map<string, ReplicaSet>();
  readonly pods = new Map<string, Pod>();
  readonly #namespace: string;
  readonly #writtenAtMs = new Map<string, number>();
  readonly #looks = new Set<() => void>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  note({ keys, before, after }: TableChange, atMs: number): void {
    const decoded = decodeStreamRecord({ dynamodb: { Keys: keys, OldImage: before, NewImage: after } });
    if (decoded.status !== 'change' || subjectOf(decoded.change).metadata.namespace !== this.#namespace) return;
    const { change } = decoded;
    this.#writtenAtMs.set(nameOf(change), atMs);
    this.#store(change);
    for (const look of this.#looks) look();
  }

  /** When a change of the namespace was written; `undefined` for all others. */
  writtenAtMs(change: Change): number | undefined {
    return this.#writtenAtMs.get(nameOf(change));
  }

  /** The pods that are not being deleted. */
  get livePods(): readonly Pod[] {
    return [...this.pods.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  get isEmpty(): boolean {
    return this.deployments.size + this.replicaSets.size + this.pods.size === 0;
  }

  /** Resolves at the instant of the write with which `test` returns true. */
  async until(test: () => boolean): Promise<void> {
    if (test()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!test()) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
    });
  }

  #store(change: Change): void {
    const objects = this.#objectsOf(change.resource);
    if (change.type === 'DELETED') objects?.delete(subjectOf(change).metadata.name);
    else objects?.set(change.after.metadata.name, change.after);
  }

  #objectsOf(resource: string): Map<string, KubernetesObject> | undefined {
    const all: Readonly<Record<string, Map<string, KubernetesObject>>> = {
      'deployments.apps': this.deployments,
      'replicasets.apps': this.replicaSets,
      pods: this.pods,
    };
    return all[resource];
  }
}

function nameOf({ resource, version }: Change): string {
  return `${resource} ${version}`;
}
