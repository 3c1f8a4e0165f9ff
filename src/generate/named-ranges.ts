import { wordsOf } from '../base/words.ts';
import { type Chance, drawInteger } from './chance.ts';
import { resourceOf } from './text/named-texts.ts';
import { isError } from './text/titles.ts';

/** The range of numbers where the schema does not ask for a narrower one. */
export interface UsualRange {
  readonly lowest: number;
  readonly highest: number;
  /** Decimal places. */
  readonly places: number;
}

/** Returns a number of a range as a text: `4.5`. */
export function drawInRange(chance: Chance, { lowest, highest, places }: UsualRange): string {
  const scale = 10 ** places;
  return (drawInteger(chance, lowest * scale, highest * scale) / scale).toFixed(places);
}

/** Ranges, each with the ends of the names of the properties that it is for. */
const rangesWithNames: readonly (readonly [
  names: string,
  low: number,
  high: number,
  places?: number,
])[] = [
  ['id', 1, 10_000],
  ['price amount cost total fee balance subtotal revenue salary budget value', 5, 200, 2],
  ['tax discount tip shipping', 1, 30, 2],
  ['count stock index available inventory', 0, 100],
  ['views likes followers downloads visits clicks impressions votes', 0, 5000],
  ['quantity qty version', 1, 10],
  ['age', 18, 80],
  ['experience yearsofexperience experienceyears years', 1, 30],
  ['months', 1, 24],
  ['weeks', 1, 12],
  ['days', 1, 30],
  ['hours', 1, 12],
  ['nights', 1, 14],
  ['seconds', 5, 300],
  ['durationms lengthms trackms', 120_000, 300_000],
  ['ms milliseconds latency responsetime', 20, 900],
  ['housenumber streetnumber roomnumber', 1, 180],
  ['tracknumber episodenumber chapternumber linenumber position', 1, 20],
  ['discnumber disc volume season seasonnumber', 1, 3],
  ['attempts retries retrycount attempt', 0, 3],
  ['guests adults passengers people partysize', 1, 4],
  ['children infants pets', 0, 2],
  ['monthlylisteners listeners subscribers plays sales reach', 0, 50_000],
  ['bpm heartrate pulse', 60, 160],
  ['popularity battery', 0, 100],
  ['servings', 2, 8],
  ['speed', 10, 130, 1],
  ['altitude elevation', 0, 2500],
  ['mileage odometer kilometers km', 1, 500],
  ['cores cpus vcpus cpucount', 1, 16],
  ['expiresin', 3600, 3600],
  ['year', 2000, 2030],
  ['month', 1, 12],
  ['day', 1, 28],
  ['hour', 0, 23],
  ['minute second', 0, 59],
  ['duration minutes', 5, 120],
  ['delay interval timeout ttl', 5, 300],
  ['rating stars', 1, 5, 1],
  ['score percent percentage progress', 0, 100, 1],
  ['rate ratio probability confidence', 0, 1, 2],
  ['latitude lat', -60, 70, 4],
  ['longitude lng lon', -180, 180, 4],
  ['temperature temp', -5, 30, 1],
  ['humidity', 20, 90],
  ['port', 1024, 49_151],
  ['page pagenumber', 1, 10],
  ['perpage pagesize limit', 10, 100],
  ['offset skip startat startindex', 0, 100],
  ['status', 1, 3],
  ['statuscode httpstatus', 200, 204],
  ['width height', 100, 2000],
  ['heightcm bodyheight', 150, 200],
  ['weightkg bodyweight', 45, 110, 1],
  ['cm', 1, 200],
  ['kg', 1, 100, 1],
  ['weight length depth distance', 1, 100, 1],
  ['size filesize bytes', 1_000, 5_000_000],
  ['calories', 50, 800],
  ['capacity seats', 2, 50],
  ['priority level rank order', 1, 5],
  ['floor bedrooms rooms', 1, 8],
];

const ranges: ReadonlyMap<string, UsualRange> = new Map(
  rangesWithNames.flatMap(([names, lowest, highest, places = 0]) =>
    names.split(' ').map((name) => [name, { lowest, highest, places }] as const),
  ),
);

/** Minor units, such as cents. */
const MINOR: UsualRange = { lowest: 199, highest: 49_900, places: 0 };

const MONEY =
  /^(?:price|amount|cost|total|fee|balance|subtotal|revenue|salary|budget|tax|discount|shipping)$/;

/** A range of numbers that the name of a property suggests. */
export interface NamedRange {
  readonly range: UsualRange | undefined;
  readonly isMoney: boolean;
  /** Milliseconds in a unit of a moment; undefined for another number. */
  readonly unit: 1 | 1000 | undefined;
  /** The part of a place or of an error that the number is. */
  readonly part: 'latitude' | 'longitude' | 'status' | undefined;
}

const MOMENT = /^(?:at|created|date|epoch|expir\w+|modified|on|since|time|timestamp|updated)$/;
const COUNTS = /count|metric|stat|summary|total/i;

/** @param parent the schema or the property of the object that has the number */
export function findRange(name: string, parent = '', description: string): NamedRange {
  const words = wordsOf(name);
  const [last = ''] = words.slice(-1);
  const range = words.map((_, index) => ranges.get(words.slice(index).join(''))).find(Boolean);
  const said = `${words.join(' ')} ${description}`;
  const isMinor = /\b(?:cents?|pence|minor|smallest currency)\b/i.test(said);
  const isMoment = range === undefined && MOMENT.test(last) && !COUNTS.test(parent);
  const unit = /milli|\bms\b/i.test(said) ? 1 : 1000;
  return {
    range: isMinor ? MINOR : range,
    isMoney: MONEY.test(last) && !isMinor,
    unit: isMoment ? unit : undefined,
    part: findPart(words.join(''), parent),
  };
}

function findPart(name: string, parent: string): NamedRange['part'] {
  if (name === 'lat' || name === 'latitude') return 'latitude';
  if (name === 'lng' || name === 'lon' || name === 'longitude') return 'longitude';
  const isStatus = name === 'status' || name === 'statuscode' || name === 'code';
  return isStatus && isError(resourceOf(parent)) ? 'status' : undefined;
}
