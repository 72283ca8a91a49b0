import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseExplainOptions } from '../../../infra/commandLine/runExplain.ts';
import { parseExportOptions } from '../../../infra/commandLine/transfer/runExport.ts';
import { parseImportCommand } from '../../../infra/commandLine/transfer/runImport.ts';
import { UsageError } from '../../../infra/host/UsageError.ts';

const exporting = (...args: readonly string[]) => parseExportOptions(args);
const importing = (...args: readonly string[]) => parseImportCommand(['--filename', 'all.json', ...args]);
const explaining = (...args: readonly string[]) => parseExplainOptions(['deployment/default/web', ...args]);

describe.each([
  ['export', exporting],
  ['import', importing],
])('driftless %s', (_, parse) => {
  test.each([
    ['data directory', ['--data-dir', ''], '--data-dir must name a directory'],
    ['server', ['--server', ''], '--server must not be empty'],
    ['context', ['--context', ''], '--context must not be empty'],
    ['kubeconfig', ['--context', 'a', '--kubeconfig', ''], '--kubeconfig must not be empty'],
  ])('refuses a %s without a name', (__, args, message) => {
    expect(() => parse(...args)).toThrow(new UsageError(message));
  });

  test('uses the default data directory only if none is named', () => {
    expect(JSON.stringify(parse())).toContain(JSON.stringify({ dataDir: resolve('.driftless') }));
    expect(JSON.stringify(parse('--data-dir', 'x'))).toContain(JSON.stringify({ dataDir: resolve('x') }));
  });
});

test('driftless explain refuses a data directory without a name', () => {
  expect(() => explaining('--data-dir', '')).toThrow(new UsageError('--data-dir must name a directory'));
});
