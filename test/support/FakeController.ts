import type { Controller, SyncStart, SyncOutcome, SyncReport } from '../../lambdas/controllers/Controller.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';

/** A controller whose syncs a test scripts; by default they end `done`. */
export class FakeController implements Controller {
  readonly name = 'deployment';
  readonly resources = ['deployments.apps'];
  readonly watches = ['deployments.apps'];
  readonly maxRetries?: number;
  readonly syncs: { readonly key: WorkKey; readonly start: SyncStart }[] = [];
  onSync: (start: SyncStart, key: WorkKey) => Promise<SyncOutcome> = async () => ({ status: 'done' });

  constructor(maxRetries?: number) {
    if (maxRetries !== undefined) this.maxRetries = maxRetries;
  }

  async keysFor(): Promise<never[]> {
    return [];
  }

  keysToResync(): never[] {
    return [];
  }

  async sync(key: WorkKey, start: SyncStart): Promise<SyncReport> {
    this.syncs.push({ key, start });
    return { outcome: await this.onSync(start, key), why: [], writes: [] };
  }
}
