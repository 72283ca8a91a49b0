import { readFileSync } from 'node:fs';

/** Returns the context that `cdk` gives the app: the flags of the CDK, as `cdk.json` has them. */
export function readCdkContext(): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly context: Readonly<Record<string, unknown>> }).context;
}
