import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';

/** Returns an app whose stacks' functions are not bundled. It writes into the directory of the run (see keepBundles.ts), which is removed at its end. */
export function createTestApp(context: Readonly<Record<string, unknown>>): App {
  const outdir = mkdtempSync(join(process.env['DRIFTLESS_KEPT_BUNDLES'] ?? tmpdir(), 'cdk.out-'));
  return new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] }, outdir, analyticsReporting: false });
}
