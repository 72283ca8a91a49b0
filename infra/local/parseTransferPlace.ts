import { resolve } from 'node:path';
import type { ControlPlanePlace } from '../transfer/ControlPlaneApi.ts';
import { DEFAULT_DATA_DIR } from './parseStartOptions.ts';
import { UsageError } from './UsageError.ts';

/** What is exported from or imported into: a control plane that runs, or the data directory (absolute) of one that does not. */
export type TransferPlace = ControlPlanePlace | { readonly dataDir: string };

export interface TransferValues {
  readonly 'data-dir'?: string | undefined;
  readonly server?: string | undefined;
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
}

/** Reads `--data-dir DIR`, `--server URL`, or `--context NAME [--kubeconfig FILE]`. Throws a UsageError for several of them. */
export function parseTransferPlace(values: TransferValues): TransferPlace {
  const { 'data-dir': dataDir, server, context, kubeconfig } = values;
  const given = [dataDir, server, context].filter((value) => value !== undefined);
  if (given.length > 1) throw new UsageError('name one of --data-dir, --server and --context');
  if (kubeconfig !== undefined && context === undefined) throw new UsageError('--kubeconfig needs --context');
  if (context !== undefined) return { context, kubeconfig: kubeconfig && resolve(kubeconfig) };
  return server === undefined ? { dataDir: resolve(dataDir ?? DEFAULT_DATA_DIR) } : { server };
}
