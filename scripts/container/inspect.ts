import { existsSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Image, userId } from './image.ts';
import type { Machine } from './machine.ts';

/** All that the program needs at run time, and what its licence asks for. */
const declaredFiles = [
  'LICENSE',
  'compiled',
  'dist',
  'fixtures',
  'node_modules',
  'package.json',
  'spec',
];

/** The members of package.json that the labels of the image repeat. */
const labels = {
  title: 'name',
  description: 'description',
  version: 'version',
  licenses: 'license',
};

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: true }>>;
}

/** @returns what is wrong with the image as it lies there, all of it */
export async function inspectImage(
  image: Image,
  project: string,
  machine: Machine,
): Promise<readonly string[]> {
  const manifest = (await readJson(join(project, 'package.json'))) as Manifest;
  const lock = (await readJson(join(project, 'package-lock.json'))) as LockFile;
  return [
    ...inspectSettings(image, manifest),
    ...(await inspectFolders(image)),
    ...inspectPackages(image, lock, manifest),
    ...(await inspectRights(image, machine)),
  ];
}

/** @returns the bytes of each entry of the image's folder, largest first */
export async function measureImage(image: Image): Promise<readonly (readonly [string, number])[]> {
  const folder = join(image.root, image.workdir);
  const sizes = (await readdir(folder)).map(async (name) => {
    const files = await listFiles(join(folder, name));
    return [name, files.reduce((sum, { size }) => sum + size, 0)] as const;
  });
  return (await Promise.all(sizes)).sort(([, a], [, b]) => b - a);
}

function inspectSettings(image: Image, manifest: Manifest): readonly string[] {
  const { environment } = image;
  const id = userId(image.user);
  const port = environment.get('COLDFRAME_PORT');
  const faults = [
    (id === undefined || id === 0) && `USER ${image.user}: want a user of the image, not root`,
    image.entrypoint[0] !== 'node' && `ENTRYPOINT starts ${image.entrypoint[0]}: want node itself`,
    image.healthcheck === undefined && 'there is no HEALTHCHECK',
    environment.get('NODE_ENV') !== 'production' && 'NODE_ENV is not production',
    (image.ports.length !== 1 || image.ports[0] !== port) &&
      `EXPOSE ${image.ports.join(' ')}: want the one that COLDFRAME_PORT sets, ${port}`,
    ...Object.entries(labels).map(([label, name]) => {
      const value = image.labels.get(`org.opencontainers.image.${label}`);
      return (
        value !== manifest[name] && `LABEL …image.${label} is ${value}, package.json has another`
      );
    }),
  ];
  return faults.filter((fault) => fault !== false);
}

async function inspectFolders(image: Image): Promise<readonly string[]> {
  const folder = join(image.root, image.workdir);
  const present = await readdir(folder);
  const beside = (await readdir(image.root)).filter((name) => `/${name}` !== image.workdir);
  return [
    ...declaredFiles
      .filter((name) => !present.includes(name))
      .map((name) => `${name} is not in the image`),
    ...present
      .filter((name) => !declaredFiles.includes(name))
      .map((name) => `${name} is in the image, and nothing there needs it`),
    ...beside.map((name) => `/${name} is in the image, beside ${image.workdir}`),
  ];
}

/** The lock file says of each package whether only development needs it. */
function inspectPackages(
  image: Image,
  { packages }: LockFile,
  { dependencies = {} }: Manifest,
): readonly string[] {
  const isThere = (path: string): boolean => existsSync(join(image.root, image.workdir, path));
  const needless = Object.entries(packages).filter(([path, { dev }]) => dev && isThere(path));
  const missing = Object.keys(dependencies).filter((name) => !isThere(`node_modules/${name}`));
  return [
    ...needless.map(([path]) => `${path} is in the image, and only development needs it`),
    ...missing.map((name) => `${name} is not in the image`),
  ];
}

async function inspectRights(image: Image, machine: Machine): Promise<readonly string[]> {
  const files = await listFiles(join(image.root, image.workdir));
  const id = userId(image.user);
  const refused = files.filter(({ mode, isFolder }) => {
    const needed = isFolder ? 0o005 : 0o004;
    return (mode & needed) !== needed;
  });
  // Whoever is not root has to own them all here, whatever the image would say.
  const writable = files.filter(
    ({ mode, uid }) => machine.isRoot && ((mode & 0o002) !== 0 || (uid === id && mode & 0o200)),
  );
  return [
    ...tell(image, refused, 'not readable for its user'),
    ...tell(image, writable, 'writable for its user'),
  ];
}

function tell(image: Image, files: readonly FoundFile[], what: string): readonly string[] {
  const [first] = files;
  if (first === undefined) return [];
  const others = files.length === 1 ? '' : ` and ${files.length - 1} more`;
  return [`/${relative(image.root, first.path)}${others}: ${what}`];
}

interface FoundFile {
  readonly path: string;
  readonly isFolder: boolean;
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
}

/** A file, or a folder with all that lies in it; links have no rights of their own. */
async function listFiles(path: string): Promise<readonly FoundFile[]> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return [];
  const isFolder = stats.isDirectory();
  const file = {
    path,
    isFolder,
    size: isFolder ? 0 : stats.size,
    mode: stats.mode,
    uid: stats.uid,
  };
  if (!isFolder) return [file];
  const names = await readdir(path);
  const below = await Promise.all(names.map((name) => listFiles(join(path, name))));
  return [file, ...below.flat()];
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}
