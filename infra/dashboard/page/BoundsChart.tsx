import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { CountSample } from '../views/PageViews.ts';

const HEIGHT_PX = 190;
/** The shortest time that is drawn: on a clock that stands still, all counts are of one moment. */
const SHORTEST_SECONDS = 60;

interface BoundsChartProps {
  readonly samples: readonly CountSample[];
  readonly nowMs: number;
  /** The chart is drawn again when it changes. */
  readonly messageCount: number;
  /** The counts that one looks back at. */
  readonly lookedAt: CountSample | undefined;
  readonly chooseTime: (timeMs: number) => void;
}

/** Pods and available pods in time, between the ceiling and the floor. A click looks back at its time. */
export function BoundsChart(props: BoundsChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const chart = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const made = new uPlot(optionsFor(element, latest), dataOf([]), element);
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
    const samples = untilNow(props.samples, props.nowMs);
    chart.current?.setData(dataOf(samples), false);
    chart.current?.setScale('x', spanOf(samples));
  }, [props.messageCount, props.lookedAt?.atMs]);
  const { lookedAt } = props;
  const last = lookedAt ?? props.samples.at(-1);
  const said =
    last && `${last.pods} pods (at most ${last.ceiling}), ${last.available} available (at least ${last.floor})`;
  return (
    <>
      <div ref={place} class="chart" role="img" aria-label={`Counts in time. ${lookedAt ? 'Then' : 'Now'}: ${said}`} />
      <p class="quiet">{said}</p>
    </>
  );
}

function optionsFor(element: HTMLElement, latest: { readonly current: BoundsChartProps }): uPlot.Options {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const line = (label: string, name: string, dash?: number[]): uPlot.Series => ({
    label,
    stroke: () => colour(name),
    width: 2,
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
    // As everywhere on the page, times are those of UTC.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    width: element.clientWidth,
    height: HEIGHT_PX,
    scales: {
      x: { auto: false },
      y: { range: (_, __, most) => [0, Math.max(1, Math.ceil(most * 1.1))] },
    },
    series: [
      { value: '{HH}:{mm}:{ss}' },
      line('pods', '--new'),
      line('available', '--good'),
      // The bounds are drawn over the counts, which touch them and never cross them.
      line('ceiling', '--bad', [6, 4]),
      line('floor', '--warn', [6, 4]),
    ],
    axes: [
      { ...axis, values: (_, seconds) => seconds.map(timeText), space: 70 },
      { ...axis, size: 40 },
    ],
    cursor: {
      drag: { x: false, y: false },
      bind: {
        mousedown: (chart) => () => {
          latest.current.chooseTime(chart.posToVal(chart.cursor.left ?? 0, 'x') * 1000);
          return null;
        },
      },
    },
    hooks: { draw: [(chart) => drawLookedAt(chart, latest.current.lookedAt?.atMs, colour('--text'))] },
  };
}

/** A line at the time that one looks back at. */
function drawLookedAt(chart: uPlot, lookedAtMs: number | undefined, colour: string): void {
  if (lookedAtMs === undefined) return;
  const x = Math.round(chart.valToPos(lookedAtMs / 1000, 'x', true));
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

/** The last counts still hold. */
function untilNow(samples: readonly CountSample[], nowMs: number): readonly CountSample[] {
  const last = samples.at(-1);
  return last && last.atMs < nowMs ? [...samples, { ...last, atMs: nowMs }] : samples;
}

function spanOf(samples: readonly CountSample[]): { readonly min: number; readonly max: number } {
  const [first = 0, last = 0] = [samples[0], samples.at(-1)].map((sample) => (sample?.atMs ?? 0) / 1000);
  return { min: first, max: Math.max(last, first + SHORTEST_SECONDS) };
}

function dataOf(samples: readonly CountSample[]): uPlot.AlignedData {
  return [
    samples.map(({ atMs }) => atMs / 1000),
    samples.map(({ pods }) => pods),
    samples.map(({ available }) => available),
    samples.map(({ ceiling }) => ceiling),
    samples.map(({ floor }) => floor),
  ];
}
