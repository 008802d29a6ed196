import data from './import-json.json';
export default function () { console.log(data); }
