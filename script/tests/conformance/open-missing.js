open('./nowhere.txt');
export default function () {}
