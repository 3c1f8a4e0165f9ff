/** A place, whose parts belong together. */
export interface Place {
  readonly city: string;
  readonly state: string;
  readonly stateCode: string;
  readonly postalCode: string;
  readonly country: string;
  readonly countryCode: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly latitude: number;
  readonly longitude: number;
}

const placesOfEnglish = `
Portland|Oregon|OR|97205|United States|US|America/Los_Angeles|USD|45.5202|-122.6742
Austin|Texas|TX|78701|United States|US|America/Chicago|USD|30.2672|-97.7431
Boston|Massachusetts|MA|02116|United States|US|America/New_York|USD|42.3501|-71.0762
Denver|Colorado|CO|80205|United States|US|America/Denver|USD|39.7601|-104.9652
Seattle|Washington|WA|98109|United States|US|America/Los_Angeles|USD|47.6299|-122.3471
Toronto|Ontario|ON|M5V 2T6|Canada|CA|America/Toronto|CAD|43.6426|-79.3871
Vancouver|British Columbia|BC|V6B 1A1|Canada|CA|America/Vancouver|CAD|49.2827|-123.1207
Bristol|England|ENG|BS1 5TR|United Kingdom|GB|Europe/London|GBP|51.4545|-2.5879
Edinburgh|Scotland|SCT|EH1 1YZ|United Kingdom|GB|Europe/London|GBP|55.9533|-3.1883
Dublin|Leinster|L|D02 XE80|Ireland|IE|Europe/Dublin|EUR|53.3441|-6.2675
Melbourne|Victoria|VIC|3000|Australia|AU|Australia/Melbourne|AUD|-37.8136|144.9631
Wellington|Wellington|WGN|6011|New Zealand|NZ|Pacific/Auckland|NZD|-41.2865|174.7762`;

export const englishPlaces = readPlaces(placesOfEnglish);

/** @param text a line for each place, its parts separated by `|` */
export function readPlaces(text: string): readonly Place[] {
  return linesOf(text).map(readPlace);
}

function readPlace(line: string): Place {
  const [city = '', state = '', stateCode = '', postalCode = '', ...rest] = line.split('|');
  const [country = '', countryCode = '', timeZone = '', currency = '', ...position] = rest;
  const [latitude = 0, longitude = 0] = position.map(Number);
  const region = { country, countryCode, timeZone, currency };
  return { city, state, stateCode, postalCode, ...region, latitude, longitude };
}

/** Returns the words of a text; one of several words has underscores. */
export function list(text: string): readonly string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '));
}

function linesOf(text: string): readonly string[] {
  return text.trim().split('\n');
}

export const englishFirstNames = list(`
Alice Amara Anna Ben Carlos Chloe Clara Daniel David Elena Emily Emma Ethan Fatima Felix Grace
Hannah Hugo Ines Isaac Jack James Jonas Julia Kenji Laura Leo Lena Liam Linh Lucas Maria Maya Mia
Nadia Noah Nora Oliver Omar Oscar Priya Rosa Samuel Sara Simon Sofia Tomas Victor Yara Zoe`);

export const englishLastNames = list(`
Adams Andersen Baker Bennett Brooks Carter Chen Clarke Cooper Costa Davies Diaz Evans Fischer Foster
Garcia Gray Hall Harris Hughes Ito Jensen Khan Kim Kowalski Larsen Lewis Martin Mills Moreau Morgan
Murphy Nguyen Novak Okafor Parker Patel Reed Rossi Santos Schmidt Silva Singh Turner Walker Ward
Weber Wilson Wright Young`);

export const englishStreets = list(`
Maple_Street Oak_Avenue Park_Road Church_Lane Mill_Road Station_Road Elm_Street River_Road
Market_Street Garden_Lane High_Street King_Street Cedar_Avenue Lake_Drive School_Lane`);

/** Words for the names of anything. */
export const landmarks = list(`
Amber Aspen Atlas Aurora Bay Beacon Birch Bridge Canyon Cedar Cliff Clover Coast Comet Compass Copper
Coral Cove Delta Dune Ember Falcon Fern Fjord Garden Glacier Granite Grove Harbor Hazel Heron Horizon
Indigo Island Ivory Jade Juniper Lagoon Lantern Laurel Linden Maple Marble Meadow Meridian Mosaic Nova
Oak Ocean Olive Opal Orchid Pebble Pine Prairie Quartz Ridge River Robin Saffron Sage Sierra Silver
Solar Spruce Summit Terra Timber Valley Velvet Violet Willow Winter Zephyr`);

export const productKinds = list(`
Backpack Bicycle_Lamp Blanket Bookshelf Bowl Candle Ceramic_Mug Chair Coffee_Grinder Cutting_Board
Desk_Lamp Headphones Jacket Kettle Keyboard Linen_Shirt Notebook Phone_Case Picture_Frame Rain_Coat
Running_Shoes Scarf Serving_Tray Sunglasses Tea_Towel Teapot Umbrella Wallet Water_Bottle Wool_Socks`);

export const productTraits = list(
  'Classic Compact Everyday Folding Light Organic Slim Soft Travel',
);

export const colors = list(`
black blue brown coral cream green grey indigo lime navy orange pink purple red teal white yellow`);

export const dishes = list(`
Tomato_Soup Caesar_Salad Margherita_Pizza Mushroom_Risotto Lentil_Curry Fish_Tacos Vegetable_Lasagne
Chicken_Noodle_Soup Apple_Pie Cheesecake Espresso Iced_Tea Lemonade Pancakes Falafel_Wrap Ramen`);

export const plants = list(`
Aloe_Vera Basil Boston_Fern Calathea English_Ivy Jade_Plant Lavender Monstera Orchid Peace_Lily
Rosemary Rubber_Plant Snake_Plant Spider_Plant Thyme ZZ_Plant`);

export const animalNames = list(`
Bella Biscuit Buddy Charlie Coco Daisy Ginger Jasper Luna Max Milo Molly Oreo Pepper Poppy Rocky
Rusty Simba Teddy Willow`);

export const animals = list('cat dog hamster horse parrot rabbit tortoise');

export const bookTitles = list(`
A_Garden_in_Winter The_Lighthouse_Keeper Letters_from_the_Coast The_Last_Ferry North_of_the_River
The_Clockmaker's_Daughter Salt_and_Cedar An_Atlas_of_Small_Islands The_Long_Meadow Paper_Boats
The_Night_Train Maps_of_the_Interior The_Orchard_Wall A_Short_History_of_Bread Blue_Hour
The_Quiet_Harbor`);

export const headlines = list(`
Five_Ways_to_Save_Time_Every_Week What_We_Learned_This_Year A_Beginner's_Guide_to_Composting
How_Our_Team_Plans_a_Release Why_Small_Steps_Matter New_Opening_Hours_for_the_Summer
Introducing_Our_Spring_Collection Notes_from_the_Annual_Meeting Ten_Questions_about_Solar_Power
A_Weekend_on_the_Coast How_to_Choose_a_Bicycle The_Library_Gets_a_New_Roof`);

export const tasks = list(`
Update_the_billing_page Fix_the_broken_link_in_the_footer Prepare_the_quarterly_report
Review_the_new_contract Order_more_printer_paper Write_tests_for_the_login_form
Translate_the_welcome_email Back_up_the_customer_data Call_the_supplier Plan_the_team_meeting
Export_fails_for_large_files Search_ignores_umlauts Login_page_shows_a_blank_screen
Add_a_dark_theme`);

export const events = list(`
Spring_Conference Weekly_Planning Product_Launch Annual_Meeting Design_Workshop Summer_Concert
Team_Retrospective Charity_Run Book_Club Open_Day Photography_Course Film_Evening`);

export const projects = list(`
Website_Redesign Mobile_App Customer_Portal Data_Migration Office_Move Spring_Campaign
Loyalty_Program Payment_Integration Inventory_Cleanup New_Onboarding Search_Upgrade Help_Center`);

export const topics = list(`
Books Electronics Fashion Garden Health Home Kitchen Music Office Outdoor Photography Sports Toys
Travel`);

export const musicGenres = list('Classical Electronic Folk Hip_Hop Indie Jazz Pop Rock Soul');
export const storyGenres = list('Biography Comedy Crime Drama Fantasy Mystery Romance Thriller');

export const tags = list(`
bestseller design featured gift handmade important new nature outdoor popular sale seasonal spring
summer travel weekly`);

export const teams = list(`
Accounting Customer_Support Data Design Engineering Finance Legal Logistics Marketing Operations
People Product Research Sales Security`);

export const jobs = list(`
Accountant Architect Chef Data_Analyst Designer Editor Electrician Gardener Nurse Office_Manager
Photographer Product_Manager Project_Lead Sales_Manager Software_Engineer Teacher Translator`);

export const roles = list('admin editor member owner viewer');
export const plans = list('Basic Business Enterprise Free Pro Starter Team');
export const hosts = list('api app cache db mail proxy queue search web worker');
export const services = list(`
billing-api catalog checkout data-export email-worker image-resizer inventory order-service
payment-gateway search-index user-portal webhooks`);

/** A file, whose parts belong together. */
export interface FileText {
  readonly name: string;
  readonly extension: string;
  readonly mediaType: string;
}

const fileLines = `
annual-report|pdf|application/pdf
contract|pdf|application/pdf
invoice|pdf|application/pdf
price-list|csv|text/csv
meeting-notes|txt|text/plain
floor-plan|png|image/png
logo|png|image/png
team-photo|jpg|image/jpeg`;

export const files: readonly FileText[] = linesOf(fileLines).map((line) => {
  const [name = '', extension = '', mediaType = ''] = line.split('|');
  return { name, extension, mediaType };
});

export const courses = list(`
Introduction_to_Statistics Modern_History Web_Design_Basics Creative_Writing First_Aid
Organic_Chemistry Public_Speaking Spanish_for_Beginners Linear_Algebra Music_Theory`);
export const songs = list(`
Morning_Light Paper_Planes Northern_Sky Slow_River City_at_Night Summer_Rain Golden_Hour Homeward
Silver_Lining Open_Road`);
export const vehicles = list(`
Volvo_V60 Toyota_Corolla Ford_Transit Honda_Civic Tesla_Model_3 Renault_Clio Kia_Niro`);

export const sentences = linesOf(`
A short summary for everyone on the team.
Available in three sizes and two colors.
Checked and approved by the project lead.
Contains everything that is needed to get started.
Designed for daily use at home or at work.
Easy to set up, and works with most devices.
Includes a short guide with examples.
Made of recycled material in a small workshop.
Please read the notes before you begin.
Replaces the earlier version from last year.
See the handbook for more details.
The details may change before the end of the month.
This is updated every Monday morning.
Used by the whole team since the spring.
Was moved here from the old system.
Works best together with the other parts of the set.`);

export const comments = linesOf(`
Arrived on time and well packed.
Could you have another look at this?
Everything works as described, thank you.
Exactly what I was looking for.
Great quality for the price.
I will send the missing details tomorrow.
Let us discuss this in the next meeting.
Looks good to me.
Please call before delivery.
Please leave the parcel with a neighbor.
Thank you for the quick answer.
The instructions could be a little clearer.`);

/** An error as an API describes it. */
export interface ErrorText {
  readonly status: number;
  readonly title: string;
  /** Words of programs. */
  readonly code: string;
  readonly message: string;
}

const errorLines = `
400|Bad Request|invalid_request|The request is not valid.
401|Unauthorized|unauthorized|The credential is missing or not valid.
403|Forbidden|forbidden|The credential does not allow this.
404|Not Found|not_found|The requested resource was not found.
409|Conflict|conflict|The resource was changed in the meantime.
429|Too Many Requests|rate_limited|There were too many requests. Please try again later.
500|Internal Server Error|internal_error|The request could not be processed.`;

export const errors: readonly ErrorText[] = linesOf(errorLines).map((line) => {
  const [status, title = '', code = '', message = ''] = line.split('|');
  return { status: Number(status), title, code, message };
});
