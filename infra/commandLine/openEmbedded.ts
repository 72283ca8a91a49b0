import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import type { Tracing } from '../../lambdas/ports/Tracing.ts';
import type { AuditOptions } from '../../lambdas/rest/audit/beginAudit.ts';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import type { TestControls } from '../testCluster/controls/TestControls.ts';
import { type Administrator, openAdministrator, withAuthority } from '../local/Administrator.ts';
import type { Log } from '../local/createHandlers.ts';
import { kubeconfig } from '../local/kubeconfig.ts';
import { muteLmdb } from '../local/muteLmdb.ts';
import type { PlacedOptions } from './parseStartOptions.ts';
import { requireUnusedKubeconfig } from '../local/requireUnusedKubeconfig.ts';
import type { RunningServer } from './RunningServer.ts';
import { type ControlPlane, startControlPlane } from '../local/startControlPlane.ts';
import { writeDataFile } from '../host/writeDataFile.ts';
import { writeWholeFile } from '../host/writeWholeFile.ts';

/** Starts the control plane in this process, and writes its kubeconfig. Throws a UsageError or a DataDirectoryError for a mistake of the user, and Node's error for a port that cannot be used. */
export async function openEmbedded(options: PlacedOptions, log: Log): Promise<RunningServer> {
  const {
    ephemeral,
    dataDir,
    port,
    listen,
    nodes,
    controllers,
    webhookServices,
    terminatedPodGcThreshold,
    kubernetesVersion,
  } = options;
  if (options.kubeconfig !== undefined) await requireUnusedKubeconfig(options.kubeconfig);
  const audit = await openAudit(options, log);
  const tracing = await openTraces(options, log);
  muteLmdb();
  const controls = await openControls(options, log);
  const durable = ephemeral ? {} : await openDurable(dataDir);
  const administrator = await openIdentity(options);
  let kubeconfigPath = '';
  const controlPlane = await startControlPlane({
    ...durable,
    ...(administrator && { administrator }),
    audit,
    tracing,
    ...(nodes !== undefined && { nodes }),
    ...controls?.controlPlaneOptions(),
    config: parseConfig({
      controllers,
      webhookServices,
      terminatedPodGcThreshold,
      kubernetesVersion,
      serviceClusterIpRange: options.serviceClusterIpRange,
      serviceNodePortRange: options.serviceNodePortRange,
      requestLimits: options.requestLimits,
    }),
    port,
    listen,
    log,
    // A client that waits for the server's first answer finds the kubeconfig.
    onListening: (url) => {
      kubeconfigPath = writeKubeconfig(options, kubeconfig(url, administrator));
    },
  });
  try {
    await controls?.attach(controlPlane);
    const headers = administrator ? { authorization: `Bearer ${administrator.token}` } : {};
    const stop = async () => await stopServer(controlPlane, controls);
    return { ...controlPlane, kubeconfigPath, headers: () => headers, stop };
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}

/** What few servers need is loaded only by those. */
async function openControls(options: PlacedOptions, log: Log): Promise<TestControls | undefined> {
  if (!options.testing) return undefined;
  const { openTestControls } = await import('./openTestControls.ts');
  return openTestControls(options, log);
}

async function openAudit({ audit }: PlacedOptions, log: Log): Promise<AuditOptions | undefined> {
  if (!audit) return undefined;
  const { openAuditLog } = await import('../local/openAuditLog.ts');
  return openAuditLog(audit, log);
}

async function openTraces({ tracing }: PlacedOptions, log: Log): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const { openTracing } = await import('../local/openTracing.ts');
  return openTracing(tracing, log);
}

async function stopServer(controlPlane: ControlPlane, controls: TestControls | undefined): Promise<void> {
  controls?.stopping.abort();
  await controlPlane.stop();
}

function writeKubeconfig({ dataDir, kubeconfig: path }: PlacedOptions, text: string): string {
  if (path === undefined) return writeDataFile(dataDir, 'kubeconfig', text);
  writeWholeFile('--kubeconfig', path, text);
  return path;
}

async function openIdentity({ rbac, tls, dataDir }: PlacedOptions): Promise<Administrator | undefined> {
  if (!rbac && tls !== true) return undefined;
  const nowMs = new SystemClock().now();
  const administrator = openAdministrator(dataDir, nowMs);
  if (tls !== true) return administrator;
  const { openAuthority } = await import('../local/openAuthority.ts');
  return withAuthority(administrator, await openAuthority(dataDir, nowMs));
}

async function openDurable(dataDir: string) {
  const { openStorage } = await import('../local/openStorage.ts');
  return await openStorage(dataDir);
}
