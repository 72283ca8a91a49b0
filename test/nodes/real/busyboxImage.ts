import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../../support/runProgram.ts';

/** The name of the image, which no registry has. */
export const IMAGE = 'driftless.local/busybox:1';

const COMMANDS = ['sh', 'cat', 'echo', 'sleep', 'ls', 'test'];
/** What the pause container of a pod does. */
const WAIT = ['/bin/sh', '-c', 'trap "exit 0" TERM INT; sleep 2147483647 & wait'];

/** Makes an image of a static busybox below `folder`, as an archive that `ctr images import` takes. Resolves to the archive's path. */
export async function makeBusyboxImage(busybox: string, folder: string): Promise<string> {
  const root = join(folder, 'root');
  mkdirSync(join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  copyFileSync(busybox, join(root, 'bin/busybox'));
  for (const command of COMMANDS) symlinkSync('busybox', join(root, 'bin', command));
  const parts = join(folder, 'parts');
  mkdirSync(parts);
  await outputOf('tar', ['-C', root, '--owner=0', '--group=0', '-cf', join(parts, 'layer.tar'), '.']);
  writeFileSync(join(parts, 'config.json'), JSON.stringify(configOf(readFileSync(join(parts, 'layer.tar')))));
  const manifest = [{ Config: 'config.json', RepoTags: [IMAGE], Layers: ['layer.tar'] }];
  writeFileSync(join(parts, 'manifest.json'), JSON.stringify(manifest));
  const archive = join(folder, 'busybox.tar');
  await outputOf('tar', ['-C', parts, '-cf', archive, 'manifest.json', 'config.json', 'layer.tar']);
  return archive;
}

function configOf(layer: Buffer): object {
  const digest = createHash('sha256').update(layer).digest('hex');
  return {
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: { Cmd: WAIT, Env: ['PATH=/bin'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  };
}
