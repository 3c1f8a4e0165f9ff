import * as lists from './word-lists.ts';

/** Words that depend on a language: those of people and places. */
export interface Vocabulary {
  readonly locale: string;
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly streets: readonly string[];
  /** True where a street follows its number: `12 Park Road`. */
  readonly isNumberFirst: boolean;
  readonly places: readonly lists.Place[];
}

export const english: Vocabulary = {
  locale: 'en-US',
  firstNames: lists.englishFirstNames,
  lastNames: lists.englishLastNames,
  streets: lists.englishStreets,
  isNumberFirst: true,
  places: lists.englishPlaces,
};

const german: Vocabulary = {
  locale: 'de-DE',
  firstNames: lists.list(`
Anna Ben Clara David Elif Emma Felix Finn Greta Hannah Jakob Jonas Lea Lena Leon Luisa Marie Max Mia
Moritz Paul Sophie`),
  lastNames: lists.list(`
Bauer Becker Braun Fischer Hoffmann Keller Koch König Krüger Lang Meyer Müller Neumann Richter Schäfer
Schmidt Schneider Schulz Vogel Wagner Weber Wolf`),
  streets: lists.list('Bahnhofstraße Bergstraße Gartenweg Hauptstraße Lindenallee Schulstraße'),
  isNumberFirst: false,
  places: lists.readPlaces(`
Berlin|Berlin|BE|10115|Deutschland|DE|Europe/Berlin|EUR|52.5323|13.3846
Hamburg|Hamburg|HH|20095|Deutschland|DE|Europe/Berlin|EUR|53.5503|10.0007
Leipzig|Sachsen|SN|04109|Deutschland|DE|Europe/Berlin|EUR|51.3397|12.3731
München|Bayern|BY|80331|Deutschland|DE|Europe/Berlin|EUR|48.1351|11.5733
Wien|Wien|9|1010|Österreich|AT|Europe/Vienna|EUR|48.2082|16.3738
Zürich|Zürich|ZH|8001|Schweiz|CH|Europe/Zurich|CHF|47.3717|8.5422`),
};

const french: Vocabulary = {
  locale: 'fr-FR',
  firstNames: lists.list(`
Adam Alice Camille Chloé Emma Gabriel Hugo Inès Jules Léa Léo Louis Louise Lucas Manon Nathan Nina
Raphaël Sarah Théo`),
  lastNames: lists.list(`
Bernard Bonnet Dubois Dupont Durand Fontaine Garnier Girard Lambert Laurent Lefebvre Leroy Martin
Mercier Moreau Petit Robert Rousseau Roux Simon`),
  streets: lists.list(`
rue_de_la_Paix rue_des_Lilas avenue_Victor_Hugo place_du_Marché rue_du_Moulin boulevard_Pasteur`),
  isNumberFirst: true,
  places: lists.readPlaces(`
Paris|Île-de-France|IDF|75011|France|FR|Europe/Paris|EUR|48.8594|2.3765
Lyon|Auvergne-Rhône-Alpes|ARA|69002|France|FR|Europe/Paris|EUR|45.7578|4.832
Nantes|Pays de la Loire|PDL|44000|France|FR|Europe/Paris|EUR|47.2184|-1.5536
Toulouse|Occitanie|OCC|31000|France|FR|Europe/Paris|EUR|43.6045|1.444
Genève|Genève|GE|1204|Suisse|CH|Europe/Zurich|CHF|46.2044|6.1432`),
};

const spanish: Vocabulary = {
  locale: 'es-ES',
  firstNames: lists.list(`
Alba Alejandro Carlos Carmen Daniel Diego Elena Hugo Inés Javier Julia Laura Lucía Marcos María Mateo
Pablo Paula Sara Sofía`),
  lastNames: lists.list(`
Álvarez Blanco Castro Díaz Fernández García Gómez González Hernández Jiménez López Martínez Molina
Moreno Navarro Ortega Pérez Ramos Romero Torres`),
  streets: lists.list('Calle_Mayor Calle_del_Sol Avenida_del_Mar Plaza_Nueva Calle_de_la_Luna'),
  isNumberFirst: false,
  places: lists.readPlaces(`
Madrid|Madrid|MD|28013|España|ES|Europe/Madrid|EUR|40.4168|-3.7038
Valencia|Comunidad Valenciana|VC|46001|España|ES|Europe/Madrid|EUR|39.4699|-0.3763
Sevilla|Andalucía|AN|41001|España|ES|Europe/Madrid|EUR|37.3891|-5.9845
Guadalajara|Jalisco|JAL|44100|México|MX|America/Mexico_City|MXN|20.6767|-103.3475`),
};

/** Returns the words of a language tag (RFC 5646); English for a language without own words. */
export function findVocabulary(tag: string): Vocabulary {
  const language = tag.toLowerCase().slice(0, 2);
  const all = [english, german, french, spanish];
  return all.find(({ locale }) => locale.startsWith(language)) ?? english;
}
