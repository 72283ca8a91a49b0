import { expect, test } from 'vitest';
import { imageLocality } from '../../../lambdas/controllers/scheduler/plugins/imageLocality.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { cluster, info, node } from './schedulerObjects.ts';

const MIB = 1024 * 1024;

function withImages(name: string, images: Readonly<Record<string, number>>): Node {
  const given = node(name);
  const listed = Object.entries(images).map(([image, mebibytes]) => ({
    names: [`${image}@sha256:0`, image],
    sizeBytes: mebibytes * MIB,
  }));
  return { ...given, status: { ...given.status, images: listed } };
}

/** The score of each node for a pod with containers of these images; of the node `a` first. */
function scores(images: readonly string[], ...nodes: Node[]): readonly number[] | undefined {
  const all = cluster(nodes);
  const containers = images.map((image, at) => ({ name: `c${at}`, image }));
  return imageLocality.score(info('new', { spec: { containers } }), all.nodes, all);
}

test.each<[string, readonly string[], readonly Node[], readonly number[] | undefined]>([
  ['rates no node if none says which images it has', ['app:1'], [node('a'), node('b')], undefined],
  // Half of the nodes have it, so it counts for 500 MiB: (500 - 23) / (1000 - 23) = 48.8 %.
  [
    'prefers the node that has the image',
    ['app:1'],
    [withImages('a', { 'app:1': 1000 }), withImages('b', { 'other:1': 1000 })],
    [48, 0],
  ],
  [
    'rates an image fully that all nodes have',
    ['app:1'],
    [withImages('a', { 'app:1': 1000 }), withImages('b', { 'app:1': 1000 })],
    [100, 100],
  ],
  ['rates small images as none', ['app:1'], [withImages('a', { 'app:1': 23 })], [0]],
  ['rates no image better than a large one', ['app:1'], [withImages('a', { 'app:1': 5000 })], [100]],
  // (1000 - 23) / (2000 - 23) = 49.4 %.
  ['divides by the containers', ['app:1', 'sidecar:1'], [withImages('a', { 'app:1': 1000 })], [49]],
  [
    'takes an image without a tag for the latest',
    ['host:5000/app'],
    [withImages('a', { 'host:5000/app:latest': 1000 })],
    [100],
  ],
])('%s', (_, images, nodes, expected) => {
  expect(scores(images, ...nodes)).toEqual(expected);
});
