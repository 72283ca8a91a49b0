import { afterAll, beforeAll, expect } from 'vitest';
import { SERVER_ARGUMENTS } from '../e2e/serverArguments.ts';
import { type KubectlOptions, type KubectlResult, kubectlFor, RunningKubectl, runKubectl } from './kubectl.ts';
import { ServerProcess } from './ServerProcess.ts';

/** Runs a command that must succeed; resolves to its output. */
type Says = ReturnType<typeof kubectlFor>;

/** kubectl's commands in one namespace. */
export interface NamespacedKubectl {
  readonly says: Says;
  /** Runs a command that must fail with code 1; resolves to its standard error. */
  readonly fails: (commandLine: string, input?: string) => Promise<string>;
  /** Runs a command that must succeed; resolves to its rows, without the header. */
  readonly rows: (commandLine: string) => Promise<string[]>;
}

/** One server for the tests of a `describe`, and kubectl as its client. */
export interface KubectlServer {
  readonly kubectl: Says;
  /** Runs a command that may fail. */
  readonly run: (args: readonly string[], options?: KubectlOptions) => Promise<KubectlResult>;
  /** Starts a command that runs until it is ended. */
  readonly start: (args: readonly string[]) => RunningKubectl;
  /** Makes the body of a test that runs in its own namespace, so that tests cannot disturb each other. */
  readonly inNamespace: (name: string, body: (commands: NamespacedKubectl) => Promise<void>) => () => Promise<void>;
}

/** Starts a server before the tests of the calling `describe` and ends it after them. `prepare` runs before the first test. */
export function kubectlServer(prepare: (kubectl: Says) => Promise<unknown> = async () => {}): KubectlServer {
  let server: ServerProcess;
  let kubectl: Says;
  beforeAll(async () => {
    server = await ServerProcess.start(SERVER_ARGUMENTS);
    kubectl = kubectlFor(server.kubeconfig);
    await prepare(kubectl);
  }, 180_000);
  afterAll(() => server?.dispose());

  const says: Says = (commandLine, options) => kubectl(commandLine, options);
  const run = (args: readonly string[], options?: KubectlOptions) => runKubectl(server.kubeconfig, args, options);
  return {
    kubectl: says,
    run,
    start: (args) => new RunningKubectl(server.kubeconfig, args),
    inNamespace: (name, body) => async () => {
      await says(`create namespace ${name}`);
      await body(namespacedKubectl(name, says, run));
    },
  };
}

function namespacedKubectl(name: string, kubectl: Says, run: KubectlServer['run']): NamespacedKubectl {
  const says: Says = (commandLine, options) => kubectl(`-n ${name} ${commandLine}`, options);
  const fails = async (commandLine: string, input = '') => {
    const { code, stderr } = await run(['-n', name, ...commandLine.split(' ')], { input });
    expect(code).toBe(1);
    return stderr.trimEnd();
  };
  const rows = async (commandLine: string) =>
    (await says(`${commandLine} --no-headers`)).trim().split('\n').filter(Boolean);
  return { says, fails, rows };
}
