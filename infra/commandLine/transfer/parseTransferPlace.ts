import { resolve } from 'node:path';
import type { ControlPlanePlace } from '../ControlPlaneApi.ts';
import { parseDataDir } from '../parseDataDir.ts';
import { UsageError } from '../../host/UsageError.ts';

/** What is exported from or imported into: a control plane that runs, or the data directory (absolute) of one that does not. */
export type TransferPlace = ControlPlanePlace | { readonly dataDir: string };

export interface TransferValues {
  readonly 'data-dir'?: string | undefined;
  readonly server?: string | undefined;
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
}

/** Reads `--data-dir DIR`, `--server URL`, or `--context NAME [--kubeconfig FILE]`. Throws a UsageError for several of them, or for an empty one. */
export function parseTransferPlace(values: TransferValues): TransferPlace {
  const { 'data-dir': dataDir, server, context, kubeconfig } = values;
  for (const [option, value] of Object.entries({ server, context, kubeconfig })) {
    if (value === '') throw new UsageError(`--${option} must not be empty`);
  }
  const given = [dataDir, server, context].filter((value) => value !== undefined);
  if (given.length > 1) throw new UsageError('name one of --data-dir, --server and --context');
  if (kubeconfig !== undefined && context === undefined) throw new UsageError('--kubeconfig needs --context');
  if (context !== undefined) return { context, kubeconfig: kubeconfig && resolve(kubeconfig) };
  return server === undefined ? { dataDir: parseDataDir(dataDir) } : { server };
}
