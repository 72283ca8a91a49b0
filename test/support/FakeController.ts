import type { Controller, SyncContext, SyncOutcome, SyncReport } from '../../lambdas/controllers/Controller.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';

/** A controller whose syncs do what a test says; by default they end `done`. */
export class FakeController implements Controller {
  readonly name = 'deployment';
  readonly resources = ['deployments.apps'];
  readonly watches = ['deployments.apps'];
  readonly maxRetries?: number;
  readonly syncs: { readonly key: WorkKey; readonly context: SyncContext }[] = [];
  onSync: (context: SyncContext, key: WorkKey) => Promise<SyncOutcome> = async () => ({ status: 'done' });

  constructor(maxRetries?: number) {
    if (maxRetries !== undefined) this.maxRetries = maxRetries;
  }

  async keysFor(): Promise<never[]> {
    return [];
  }

  keysToResync(): never[] {
    return [];
  }

  async sync(key: WorkKey, context: SyncContext): Promise<SyncReport> {
    this.syncs.push({ key, context });
    return { outcome: await this.onSync(context, key), why: [], writes: [] };
  }
}
