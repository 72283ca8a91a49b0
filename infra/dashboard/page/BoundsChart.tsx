import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { CountSample } from '../views/PageViews.ts';

const HEIGHT_PX = 190;
/** The shortest time that is drawn: on a clock that stands still, all counts are of one moment. */
const SHORTEST_SECONDS = 60;

/** Pods and available pods in time, between the ceiling and the floor. */
export function BoundsChart(props: { readonly samples: readonly CountSample[]; readonly version: number }) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const made = new uPlot(optionsFor(element), dataOf(props.samples), element);
    chart.current = made;
    const sized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    sized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => made.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      sized.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    chart.current?.setData(dataOf(props.samples), false);
    chart.current?.setScale('x', spanOf(props.samples));
  }, [props.version]);
  const last = props.samples.at(-1);
  const said =
    last && `${last.pods} pods (at most ${last.ceiling}), ${last.available} available (at least ${last.floor})`;
  return (
    <>
      <div ref={place} class="chart" role="img" aria-label={`Counts in time. Now: ${said}`} />
      <p class="quiet">{said}</p>
    </>
  );
}

function optionsFor(element: HTMLElement): uPlot.Options {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const line = (label: string, name: string, dash?: number[]): uPlot.Series => ({
    label,
    stroke: () => colour(name),
    width: dash ? 1 : 2,
    ...(stepped && { paths: stepped }),
    points: { show: false },
    ...(dash && { dash }),
  });
  const axis: uPlot.Axis = {
    stroke: () => colour('--quiet'),
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    scales: {
      x: { auto: false },
      y: { range: (_, __, most) => [0, Math.max(1, Math.ceil(most * 1.1))] },
    },
    series: [
      { value: '{HH}:{mm}:{ss}' },
      line('ceiling', '--bad', [6, 4]),
      line('pods', '--new'),
      line('available', '--good'),
      line('floor', '--warn', [6, 4]),
    ],
    axes: [axis, { ...axis, size: 40 }],
  };
}

function spanOf(samples: readonly CountSample[]): { readonly min: number; readonly max: number } {
  const [first = 0, last = 0] = [samples[0], samples.at(-1)].map((sample) => (sample?.atMs ?? 0) / 1000);
  return { min: first, max: Math.max(last, first + SHORTEST_SECONDS) };
}

function dataOf(samples: readonly CountSample[]): uPlot.AlignedData {
  return [
    samples.map(({ atMs }) => atMs / 1000),
    samples.map(({ ceiling }) => ceiling),
    samples.map(({ pods }) => pods),
    samples.map(({ available }) => available),
    samples.map(({ floor }) => floor),
  ];
}
