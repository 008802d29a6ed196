import http from 'k6/http';
new http.CookieJar().set('http://a/', 'b', 'c');
http.cookieJar();
export default function () {}
