import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type KubectlServer, kubectlServer } from './kubectlServer.ts';
import { layerPrograms } from './layerPrograms.ts';
import { type ProgramResult, runProgram } from './runProgram.ts';

const programs = layerPrograms();

/** True if this machine can run the helm of the tests: Linux on x64. Elsewhere tests that need it skip visibly. */
export const hasHelm = programs !== undefined;

/** Helm with a home and charts of its own, against one server. */
export class HelmClient {
  readonly #kubeconfig: () => string;
  #directory = '';

  private constructor(kubeconfig: () => string) {
    this.#kubeconfig = kubeconfig;
  }

  /** Starts a server and a Helm before the tests of the calling `describe`, and ends both after them. `prepare` makes the charts. */
  static withServer(prepare: (helm: HelmClient) => Promise<void>): KubectlServer & { readonly helm: HelmClient } {
    const server = kubectlServer({ program: programs?.kubectl });
    const helm = new HelmClient(server.kubeconfig);
    beforeAll(async () => {
      helm.#directory = await mkdtemp(join(tmpdir(), 'driftless-helm-'));
      await prepare(helm);
    }, 120_000);
    afterAll(() => rm(helm.#directory, { recursive: true, force: true }));
    return { ...server, helm };
  }

  /** Writes a file of a chart: `web/templates/migrate.yaml`. */
  async write(path: string, text: string): Promise<void> {
    const file = join(this.#directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Runs a command that may fail. */
  run(commandLine: string): Promise<ProgramResult> {
    const home = (name: string) => join(this.#directory, name);
    const env = { HELM_CACHE_HOME: home('cache'), HELM_CONFIG_HOME: home('config'), HELM_DATA_HOME: home('data') };
    const options = { directory: this.#directory, env: { ...env, KUBECONFIG: this.#kubeconfig() } };
    return runProgram(programs?.helm ?? 'helm', commandLine.split(' '), options);
  }

  /** Runs a command that must succeed; resolves to its output. */
  async says(commandLine: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(commandLine);
    expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    return stdout;
  }
}
