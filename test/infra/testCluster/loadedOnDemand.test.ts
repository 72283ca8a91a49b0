import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';

/** Returns what a process loads that imports `entry`: modules and packages, without those that are imported on demand. */
async function loadedBy(entry: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    external: ['../emulation/*'],
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
  });
  return reachedFrom(entry, metafile.inputs);
}

function reachedFrom(entry: string, inputs: Metafile['inputs']): ReadonlySet<string> {
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const { kind, path: imported } of inputs[path]?.imports ?? [])
      if (kind === 'import-statement') reached.add(imported);
  }
  return reached;
}

/** What few processes need, by the reason why they would. */
const ON_DEMAND: readonly (readonly [string, RegExp])[] = [
  ['the expression language: policies, and rules of custom resources', /registry\/cel\/|^re2js$/],
  ['the schemas of custom resources', /registry\/apiextensions\/(CustomSchema|rules\/compileRule|schema\/validate)/],
  ['the rules of definitions', /customresources\/validateCustomResourceDefinition/],
  ['the documents of OpenAPI and the texts in them', /schema\/openapi\/|schema\/generated\//],
  ['bodies and answers in YAML, and manifests', /^yaml$/],
  ['bodies in protobuf', /^protobufjs$/],
  ['the database of a data directory', /^lmdb$/],
  ['HTTPS and tokens, for servers that check permissions', /^(node:https|jose)$/],
  ['certificates, for servers that sign them', /^(@peculiar\/x509|reflect-metadata)$|openAuthority/],
  ['the rules of testing.driftless.dev and its actions', /controls\/(testingRules|serveClock|resetCluster|validate)/],
  ['what is asked of kubelets', /rest\/connect\/|HttpBackendConnections/],
];

test('the command line loads what serves tests only for a server that is asked for it', async () => {
  const loaded = await loadedBy('infra/commandLine/main.ts');
  expect([...loaded].filter((path) => path.includes('infra/testCluster/controls/'))).toEqual([]);
}, 60_000);

describe.each(['infra/testCluster/startCluster.ts', 'infra/commandLine/main.ts'])(
  'a process that starts %s',
  (entry) => {
    let loaded: ReadonlySet<string>;
    beforeAll(async () => {
      loaded = await loadedBy(entry);
    }, 60_000);

    test.each(ON_DEMAND)('does not load yet what only some need: %s', (_, pattern) => {
      expect(loaded.size).toBeGreaterThan(100);
      expect([...loaded].filter((path) => pattern.test(path))).toEqual([]);
    });
  },
);

test.each(['api/index.ts', 'api/container.ts', 'record/index.ts', 'authorize/index.ts'])(
  'the function %s, which runs no controller, loads the code of none',
  async (entry) => {
    const loaded = await loadedBy(`lambdas/functions/${entry}`);
    expect([...loaded].filter((path) => /lambdas\/controllers\/\w+\//.test(path))).toEqual([]);
  },
  60_000,
);
